#!/usr/bin/env bash
# Makes sure that everything a build needs is installed; says nothing when it is.
#
# Installs with apt-get where it may (root, or sudo without a password). Where it may not, it prints
# the line to run and fails, so that no later step fails with a stranger message.
set -euo pipefail

stop() {
  printf 'setup: %s\n' "$@" >&2
  exit 1
}

command -v swift >/dev/null ||
  stop "there is no 'swift' on PATH." \
    "Install Swift 6.3 or newer from https://www.swift.org/install and open a new shell."

banner=$(swift --version 2>&1) ||
  stop "'swift --version' failed, so this Swift installation is broken:" "$banner"
# Swift says 'Swift version 6.3.1 (…)', Apple's 'Apple Swift version 6.2 (…)'.
[[ $banner =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]] ||
  stop "cannot tell which Swift this is: ${banner%%$'\n'*}" "Swift 6.3 or newer is needed."
major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]}
((major > 6 || (major == 6 && minor >= 3))) ||
  stop "this is Swift $major.$minor, and the package needs 6.3 or newer." \
    "Install it from https://www.swift.org/install, or put it first on PATH."

if [[ $(uname -s) == Darwin ]]; then
  # libcurl and SQLite come with the SDK.
  for tool in python3 make openssl; do
    command -v "$tool" >/dev/null || stop "there is no $tool. Run: xcode-select --install"
  done
  exit 0
fi

# Prints the package's name unless the library is there, from whichever package.
missing_library() {
  local module=$1 package=$2
  if command -v pkg-config >/dev/null; then
    pkg-config --exists "$module" || echo "$package"
  elif ! dpkg-query --show --showformat '${Status}' "$package" 2>/dev/null |
    grep -q 'ok installed'; then
    echo "$package"
  fi
}

read -r -a missing <<<"$(
  {
    missing_library libcurl libcurl4-openssl-dev
    missing_library sqlite3 libsqlite3-dev
    command -v pkg-config >/dev/null || echo pkg-config
    command -v python3 >/dev/null || echo python3
    command -v make >/dev/null || echo make
    # The tests of TLS make their certificates with it.
    command -v openssl >/dev/null || echo openssl
  } | tr '\n' ' '
)"
((${#missing[@]} > 0)) || exit 0

command -v apt-get >/dev/null ||
  stop "not installed (Debian's names): ${missing[*]}" \
    "Install what your system calls them. Fedora: dnf install libcurl-devel sqlite-devel" \
    "pkgconf-pkg-config python3 make openssl"

as_root=()
if [[ $(id -u) != 0 ]]; then
  if ! sudo -n true 2>/dev/null; then
    stop "not installed: ${missing[*]}" "Run this, then try again:" \
      "  sudo apt-get update && sudo apt-get install -y ${missing[*]}"
  fi
  as_root=(sudo -n)
fi

apt() {
  # Another apt may be at work on a machine that has just booted, hence the wait for its lock.
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get --quiet --quiet -o DPkg::Lock::Timeout=120 "$@" </dev/null
}

echo "setup: installing ${missing[*]}"
apt update || echo "setup: 'apt-get update' failed; trying with the lists that are there" >&2
apt install -y --no-install-recommends "${missing[@]}" ||
  stop "apt-get could not install ${missing[*]}; its own message is above." \
    "Without network, install them from a mirror or an image that has them."
