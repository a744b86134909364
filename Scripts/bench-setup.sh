#!/usr/bin/env bash
# Installs what some benchmarks need, where that takes no more than asking apt for it: valgrind,
# which counts instructions, and nginx, which the HTTP clients talk to.
#
# Never fails: without them the benchmarks say what they do not judge.
set -euo pipefail

command -v apt-get >/dev/null || exit 0

missing=()
command -v valgrind >/dev/null || missing+=(valgrind)
# Where systemd runs, Debian would start a web server for the whole machine; that is for its owner
# to decide.
if ! [[ -x /usr/sbin/nginx || -d /run/systemd/system ]] && ! command -v nginx >/dev/null; then
  missing+=(nginx-light)
fi
((${#missing[@]} > 0)) || exit 0

as_root=()
if [[ $(id -u) != 0 ]]; then
  sudo -n true 2>/dev/null || exit 0
  as_root=(sudo -n)
fi
{
  "${as_root[@]}" apt-get update
  "${as_root[@]}" apt-get install --yes --no-install-recommends "${missing[@]}"
} >/dev/null 2>&1 || echo "bench-setup: apt-get could not install ${missing[*]}" >&2
