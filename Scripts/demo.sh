#!/usr/bin/env bash
# Shows the whole loop at work: users and posts read and a post written, first with the embedded
# service that needs no configuration, then over HTTP against a server on this machine.
#
# Everything happens in a temporary folder. Fails unless the post that was written came back both
# times, and unless a server that is not there is reported as such.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
server=
cleanup() {
  if [[ -n $server ]]; then
    kill "$server" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap cleanup EXIT

fail() {
  echo "demo: $*" >&2
  exit 1
}

echo "Building postsctl…"
# Word splitting is wanted: SWIFTFLAGS is a list of flags.
# shellcheck disable=SC2086
swift build -c release --product postsctl ${SWIFTFLAGS:-} >"$work/build.log" 2>&1 || {
  cat "$work/build.log" >&2
  fail "postsctl did not build; the compiler's messages are above."
}
binary=$(swift build -c release --show-bin-path)/postsctl

# The user's own settings and posts stay out of it.
unset POSTSCTL_URL POSTSCTL_API POSTSCTL_TOKEN POSTSCTL_CONFIG
export HOME=$work XDG_DATA_HOME=$work/data XDG_CONFIG_HOME=$work/config

# Prints a command as one would type it.
print_command() {
  local word line='$ postsctl'
  for word in "$@"; do
    [[ $word =~ ^[A-Za-z0-9_./:=-]+$ ]] || word="'$word'"
    line+=" $word"
  done
  printf '\n%s\n' "$line"
}

# Shows a text, or both ends of a long one and how much lies between.
print_shortened() {
  local lines head=6 tail=3
  lines=$(wc -l <"$1")
  if ((lines <= head + tail + 1)); then
    cat "$1"
  else
    head -n "$head" "$1"
    echo "    … $((lines - head - tail)) more lines, left out here …"
    tail -n "$tail" "$1"
  fi
}

# Shows and runs a command. Its output stays in $work/output, its exit code in $status.
run() {
  print_command "$@"
  status=0
  "$binary" "$@" >"$work/output" 2>"$work/messages" || status=$?
  print_shortened "$work/output"
  cat "$work/messages" >&2
}

run_successfully() {
  run "$@"
  ((status == 0)) || fail "the command above failed with exit code $status."
}

# Reads, writes and reads again with the given flags. The written title is in no service before.
show_loop() {
  local title=$1
  shift
  run_successfully fetch-users "$@"
  [[ -s $work/output ]] || fail "the command above printed no users."
  run_successfully create-post --title "$title" --body 'The water turns the wheel.' "$@"
  run_successfully fetch-posts "$@"
  grep -qF -- "$title" "$work/output" || fail "'$title' is not among the posts above."
}

run_id=$$-$RANDOM
embedded_title="Embedded $run_id"
remote_title="Over HTTP $run_id"

printf '\n--- The embedded service: no configuration, a SQLite file of its own ---\n'
show_loop "$embedded_title"

printf '\n--- The same over HTTP, from a server on this machine ---\n'
coproc SERVER { exec python3 Tests/Servers/posts_server.py --until-eof 2>"$work/server.log"; }
server=$SERVER_PID
server_input=${SERVER[1]}
port=
if read -r -t 20 word port <&"${SERVER[0]}" && [[ $word == PORT ]]; then
  url=http://127.0.0.1:$port
else
  cat "$work/server.log" >&2
  fail "the server did not say which port it listens on."
fi
show_loop "$remote_title" --url "$url"

printf '\n--- And when the server is gone ---\n'
exec {server_input}>&-
wait "$server" || true
server=
run fetch-posts --url "$url"
echo "(exit code $status)"
((status == 69)) || fail "a server that is not there should give exit code 69."
[[ ! -s $work/output ]] || fail "a command that failed printed something on stdout."
[[ -s $work/messages ]] || fail "a command that failed did not say why."

printf "\ndemo: passed: '%s' came back from the embedded service and '%s' over HTTP\n" \
  "$embedded_title" "$remote_title"
