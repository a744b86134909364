#!/usr/bin/env bash
# Checks form and direction without running anything: format, imports, scripts.
# That every import is declared in the manifest is the build's part; see the Makefile's lint.
set -euo pipefail
cd "$(dirname "$0")/.."

# Prints the package's own files that match the patterns given to find, one a NUL.
own_files() {
  find . -name .build -prune -o -name .git -prune -o -name site -prune -o \
    -type f \( "$@" \) -print0
}

mapfile -d '' swift_files < <(own_files -name '*.swift')
swift format lint --strict --parallel "${swift_files[@]}"
echo "lint: format of ${#swift_files[@]} Swift files"

python3 Scripts/check-sources.py
echo "lint: imports and constructs in Sources"

mapfile -d '' python_files < <(own_files -name '*.py')
# The compiled files go where the builds go, not beside the sources.
PYTHONPYCACHEPREFIX=.build/pycache python3 -m py_compile "${python_files[@]}"
echo "lint: syntax of ${#python_files[@]} Python files"

mapfile -d '' shell_files < <(own_files -name '*.sh' -o -path './.ci/run')
for file in "${shell_files[@]}"; do
  bash -n "$file"
done
echo "lint: syntax of ${#shell_files[@]} shell scripts"
