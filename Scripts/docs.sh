#!/usr/bin/env bash
# Builds the reference documentation of every library into site/, as one site.
#
# Needs no plugin: symbol graphs from the package manager, pages from the compiler's own docc. The
# libraries are converted in dependency order, so that one may link to another: ``/Store/Action``.
# A warning is an error: a link that leads nowhere is a fault like any other.
set -euo pipefail
cd "$(dirname "$0")/.."

libraries=(Store Middleware SideEffects StoreTesting CurlHTTP Services Posts)
work=.build/docs
rm -rf "$work"
mkdir -p "$work"

# Some toolchains do not put docc on PATH, but all have it beside swift (macOS: behind xcrun).
if ! docc=$(command -v docc); then
  if command -v xcrun >/dev/null; then
    docc=$(xcrun --find docc)
  else
    docc=$(dirname "$(readlink -f "$(command -v swift)")")/docc
  fi
fi

# What a library adds to the types of another is in its pages too: most of SideEffects is of that kind.
# What a type has from a protocol of the standard library, such as `map`, is not.
swift package dump-symbol-graph --minimum-access-level public --emit-extension-block-symbols \
  --skip-synthesized-members >"$work/symbols.log" 2>&1 || {
  cat "$work/symbols.log" >&2
  echo "docs: the symbol graphs could not be made; the messages are above." >&2
  exit 1
}
graphs=$(swift build --show-bin-path)/../symbolgraph

archives=()
for library in "${libraries[@]}"; do
  mkdir -p "$work/$library.symbols"
  # Also the extensions of other modules' types, which have files of their own (Store@Swift…).
  find "$graphs" -maxdepth 1 \
    \( -name "$library.symbols.json" -o -name "$library@*.symbols.json" \) \
    -exec cp {} "$work/$library.symbols/" \;
  [[ -f $work/$library.symbols/$library.symbols.json ]] || {
    echo "docs: no symbol graph of $library in $graphs" >&2
    exit 1
  }

  catalogue=()
  [[ -d Sources/$library/$library.docc ]] && catalogue=("Sources/$library/$library.docc")
  dependencies=()
  for archive in "${archives[@]}"; do
    dependencies+=(--dependency "$archive")
  done
  "$docc" convert "${catalogue[@]}" \
    --additional-symbol-graph-dir "$work/$library.symbols" \
    --fallback-display-name "$library" \
    --fallback-bundle-identifier "millrace.$library" \
    --fallback-default-module-kind Module \
    --enable-experimental-external-link-support \
    "${dependencies[@]}" \
    --warnings-as-errors \
    --output-path "$work/$library.doccarchive"
  # What stands in no topic of the catalogue is listed by kind, in a group that docc makes up.
  if grep -q '"generated":true' "$work/$library.doccarchive/data/documentation/${library,,}.json"; then
    echo "docs: a public symbol of $library is in no topic of Sources/$library/$library.docc;" >&2
    echo "docs: it is under a heading such as 'Classes' at the end of the page of $library" >&2
    exit 1
  fi
  archives+=("$work/$library.doccarchive")
  echo "docs: $library"
done

rm -rf site
"$docc" merge "${archives[@]}" --synthesized-landing-page-name Millrace --output-path site
echo "docs: site/ is ready; look at it with: python3 -m http.server --directory site"
