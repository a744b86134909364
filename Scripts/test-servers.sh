#!/usr/bin/env bash
# Installs the servers that some tests of the HTTP client talk to, where apt-get may do so.
#
# The tests skip what is not there and say so; continuous integration wants all of it.
set -euo pipefail

missing=()
wants() {
  local program=$1 package=$2
  PATH=/usr/local/bin:/usr/bin:/usr/local/sbin:/usr/sbin command -v "$program" >/dev/null ||
    missing+=("$package")
}
wants nginx nginx-light
wants nghttpd nghttp2-server
wants tinyproxy tinyproxy-bin
((${#missing[@]} > 0)) || exit 0

skip() {
  echo "test-servers: $1, so these are missing and their tests are skipped: ${missing[*]}" >&2
  exit 0
}

as_root=()
if [[ $(id -u) != 0 ]]; then
  sudo -n true 2>/dev/null || skip "neither root nor sudo without a password"
  as_root=(sudo -n)
fi
command -v apt-get >/dev/null || skip "no apt-get"

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get --quiet --quiet -o DPkg::Lock::Timeout=120 "$@" </dev/null
}

echo "test-servers: installing ${missing[*]}"
apt update || echo "test-servers: 'apt-get update' failed; trying with the lists that are there" >&2
apt install -y --no-install-recommends "${missing[@]}" || skip "apt-get failed"
