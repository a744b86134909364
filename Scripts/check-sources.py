#!/usr/bin/env python3
"""Checks the rules about Sources that neither the compiler nor swift format knows.

Two kinds: which module may import which (a wrong import compiles as soon as somebody adds it to
the manifest), and which constructs are kept out of shipped code. Prints one line a finding, in the
form a compiler uses, and exits with 1 if there is any.
"""

import pathlib
import re
import sys

# The direction of the package: Store <- Middleware <- SideEffects <- Posts -> Services -> CurlHTTP.
# A target may import what stands in its row and nothing else of this package.
MAY_IMPORT = {
    "Store": [],
    "Middleware": ["Store"],
    "SideEffects": ["Store", "Middleware"],
    "StoreTesting": ["Store", "Middleware", "SideEffects"],
    "CCurl": [],
    "CurlHTTP": ["CCurl"],
    "CSQLite": [],
    "Services": ["CurlHTTP", "CSQLite"],
    "Posts": ["Store", "Middleware", "SideEffects", "Services"],
    "postsctl": ["Store", "Middleware", "SideEffects", "CurlHTTP", "Services", "Posts"],
}

# Foundation would cost a start-up of 6 ms against 3, and Dispatch is a second scheduler: only the
# calls into a database, which block, need a queue of their own.
SYSTEM_MODULES = {"Synchronization", "Observation", "FoundationEssentials", "Darwin", "Glibc", "Musl", "Android"}
EXTRA_MODULES = {"Services": {"Dispatch"}, "StoreTesting": {"Testing", "XCTest"}}

FORBIDDEN = [
    (re.compile(r"\btry!"), "'try!' ends the process on an error; handle it or let it through"),
    (re.compile(r"\bas!"), "'as!' ends the process on a surprise; use 'as?' and say what to do"),
    (re.compile(r"\bfatalError\s*\("), "'fatalError' reaches users; throw, or use a precondition"),
    (re.compile(r"\bTask\s*\.\s*sleep\b"), "'Task.sleep' cannot be tested; use an injected clock"),
]
UNFINISHED = re.compile(r"//.*\b(TODO|FIXME|XXX)\b")

IMPORT = re.compile(
    r"^\s*(?:@[\w]+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:typealias|struct|class|enum|protocol|let|var|func)\s+)?(\w+)"
)
CONDITION = re.compile(r"^\s*#(if|elseif|else|endif)\b\s*(.*)")
# Comments and string literals, so that prose may name what code may not use.
NOT_CODE = re.compile(r'"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*[\s\S]*?\*/')


def code_only(text):
    """Blanks comments and literals, keeping every line where it is."""
    return NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def imports(code):
    """Yields (line, module, conditions) for each import; the conditions are the open #if's."""
    conditions = []
    for number, line in enumerate(code.splitlines(), start=1):
        if condition := CONDITION.match(line):
            keyword, expression = condition.group(1), condition.group(2).strip()
            if keyword == "if":
                conditions.append([expression])
            elif keyword == "elseif" and conditions:
                conditions[-1].append(expression)
            elif keyword == "else" and conditions:
                conditions[-1].append("else")
            elif keyword == "endif" and conditions:
                conditions.pop()
        elif found := IMPORT.match(line):
            yield number, found.group(1), [list(branch) for branch in conditions]


def import_finding(target, module, conditions):
    """Says what is wrong with the target importing the module, or nothing."""
    if module in MAY_IMPORT:
        if module in MAY_IMPORT[target]:
            return None
        allowed = ", ".join(MAY_IMPORT[target]) or "no other module of the package"
        return f"{target} must not import {module}; it may import {allowed}"
    if module in SYSTEM_MODULES | EXTRA_MODULES.get(target, set()):
        return None
    if module == "Foundation" and ["canImport(FoundationEssentials)", "else"] in conditions:
        return None  # Apple's platforms have no FoundationEssentials.
    hint = "; FoundationEssentials is enough" if module.startswith("Foundation") else ""
    return f"{target} must not import {module}{hint}"


def findings(root):
    """Yields (path, line, message) for everything wrong under Sources."""
    sources = root / "Sources"
    for folder in sorted(path for path in sources.iterdir() if path.is_dir()):
        if folder.name not in MAY_IMPORT:
            yield folder, 1, "a new target: say in Scripts/check-sources.py what it may import"
            continue
        for path in sorted(folder.rglob("*.swift")):
            text = path.read_text(encoding="utf-8")
            code = code_only(text)
            for line, module, conditions in imports(code):
                if message := import_finding(folder.name, module, conditions):
                    yield path, line, message
            for number, line in enumerate(code.splitlines(), start=1):
                for pattern, message in FORBIDDEN:
                    if pattern.search(line):
                        yield path, number, message
            for number, line in enumerate(text.splitlines(), start=1):
                if UNFINISHED.search(line):
                    yield path, number, "unfinished work; finish it or open an issue"


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    count = 0
    for path, line, message in findings(root):
        print(f"{path.relative_to(root)}:{line}: error: {message}", file=sys.stderr)
        count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
