#!/usr/bin/env bash
# Times the compiler on what users write much of, and on the library itself. Prints JSON lines like
# the benchmarks do, and fails where a number is worse than promised.
#
#   compile.reducers50   the slowest expression where 50 scoped reducers are combined, ≤ 100 ms
#   compile.effects50    the slowest expression in a list of 50 effects, ≤ 100 ms
#   compile.cold         a debug build of Store, Middleware and SideEffects from nothing, ≤ 30 s
set -euo pipefail
cd "$(dirname "$0")/.."

expression_limit=100
cold_limit=30
failed=0

report() {
  local name=$1 value=$2 unit=$3 limit=$4
  echo "{\"name\":\"$name\",\"value\":$value,\"unit\":\"$unit\",\"baseline\":null,\"ratio\":null}"
  if ((value > limit)); then
    echo "compile-time: $name is $value $unit, promised at most $limit $unit" >&2
    failed=1
  fi
}

# Word splitting is wanted: SWIFTFLAGS is a list of flags.
# shellcheck disable=SC2086
swift build --package-path Benchmarks --target CompileTime ${SWIFTFLAGS:-} >&2
modules=$(swift build --package-path Benchmarks --show-bin-path)/Modules

# The compiler tells the time only of expressions that are too slow, so one millisecond is too slow.
slowest_expression() {
  local warnings
  warnings=$(swiftc -frontend -typecheck -swift-version 6 -module-name CompileTime -I "$modules" \
    -warn-long-expression-type-checking=1 \
    -primary-file "Benchmarks/Sources/CompileTime/$1" \
    "Benchmarks/Sources/CompileTime/$2" 2>&1) || {
    echo "$warnings" >&2
    echo "compile-time: $1 does not compile; the message is above." >&2
    return 1
  }
  sed -n 's/.*expression took \([0-9]*\)ms to type-check.*/\1/p' <<<"$warnings" |
    sort -n | tail -n 1 | grep . || echo 0
}

milliseconds=$(slowest_expression FiftyReducers.swift FiftyEffects.swift)
report compile.reducers50 "$milliseconds" ms "$expression_limit"
milliseconds=$(slowest_expression FiftyEffects.swift FiftyReducers.swift)
report compile.effects50 "$milliseconds" ms "$expression_limit"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch" "$scratch.log"' EXIT
started=$SECONDS
# shellcheck disable=SC2086
swift build --target SideEffects --scratch-path "$scratch" ${SWIFTFLAGS:-} >"$scratch.log" 2>&1 || {
  cat "$scratch.log" >&2
  exit 1
}
report compile.cold $((SECONDS - started)) s "$cold_limit"
exit "$failed"
