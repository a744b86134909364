#!/usr/bin/env bash
# Builds every example and runs each to its end. One that fails, or does not end, fails this script.
set -euo pipefail
cd "$(dirname "$0")/../Examples"

# A stock macOS has no timeout(1); there an example that hangs is ended by hand.
bounded=()
if command -v timeout >/dev/null; then
  bounded=(timeout 60)
fi

# Word splitting is wanted: SWIFTFLAGS is a list of flags.
# shellcheck disable=SC2086
swift build ${SWIFTFLAGS:-}
products=$(swift build --show-bin-path)

for folder in Sources/*/; do
  example=$(basename "$folder")
  echo "\$ $example"
  "${bounded[@]}" "$products/$example" || {
    status=$?
    # timeout has an exit code of its own for a program it had to end.
    ((status == 124)) && echo "examples: $example did not end within 60 s" >&2
    echo "examples: $example failed with exit code $status" >&2
    exit 1
  }
done
