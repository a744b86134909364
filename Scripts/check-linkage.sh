#!/usr/bin/env bash
# Checks that the released postsctl loads FoundationEssentials at most, never all of Foundation,
# which would double the time the command takes to start.
set -euo pipefail
cd "$(dirname "$0")/.."

binary=$(swift build -c release --show-bin-path)/postsctl
if [[ $(uname -s) == Darwin ]]; then
  echo "linkage: nothing to check, Foundation is part of this system"
  exit 0
fi

libraries=$(ldd "$binary")
if heavy=$(grep -E 'libFoundation(Networking|XML|Internationalization)?\.so' <<<"$libraries"); then
  echo "linkage: postsctl loads what it must not; some target imports more than" >&2
  echo "FoundationEssentials:" >&2
  echo "$heavy" >&2
  exit 1
fi
if grep 'not found' <<<"$libraries" >&2; then
  echo "linkage: postsctl cannot start here; the libraries above are missing" >&2
  exit 1
fi
echo "linkage: postsctl does not load Foundation"
