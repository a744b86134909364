#!/usr/bin/env bash
# The whole of continuous integration: the Makefile's targets, one after the other, each timed.
#
# Stops at the first that fails. Ends with the closing lines of both test runs.
set -euo pipefail
cd "$(dirname "$0")/.."

logs=.build/ci
mkdir -p "$logs"
steps=(setup lint test tsan release examples bench-smoke docs)

# A filter that matches nothing, or a suite that was not linked, passes with no test at all.
require_tests() {
  grep -qE 'Test run with [1-9][0-9]* tests?' "$1" || {
    echo "ci: no test ran; see $1" >&2
    exit 1
  }
}

Scripts/test-servers.sh

for step in "${steps[@]}"; do
  echo "=== make $step"
  started=$SECONDS
  make --no-print-directory "$step" 2>&1 | tee "$logs/$step.log" || {
    echo "=== make $step FAILED after $((SECONDS - started)) s" >&2
    exit 1
  }
  echo "=== make $step took $((SECONDS - started)) s"
  case $step in
  test | tsan) require_tests "$logs/$step.log" ;;
  esac
done

for step in test tsan; do
  echo "$step: $(grep -E 'Test run with ' "$logs/$step.log" | tail -n 1)"
done
echo "ci: passed in $SECONDS s"
