"""Runs nghttpd, a server of HTTP/2 over TLS, on a free port of loopback.

Usage: http2_server.py CERTIFICATE KEY DIRECTORY [NGHTTPD-OPTION ...]

It serves the files of the directory, prints `PORT n` once nghttpd listens, and ends with it when its
standard input closes. The standard library of Python speaks no HTTP/2.
"""

import shutil
import socket
import subprocess
import sys
import threading


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def start(certificate, key, directory, options):
    """A running nghttpd and its port, or nothing if somebody else took the port meanwhile."""
    port = free_port()
    program = shutil.which("nghttpd", path="/usr/local/bin:/usr/bin:/usr/local/sbin:/usr/sbin")
    command = [program, "-v", "-a", "127.0.0.1", "-d", directory, *options, str(port), key, certificate]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, text=True)
    if ": listen " not in server.stdout.readline():
        return None
    # It says when it listens only if it also says everything else, which somebody must take.
    threading.Thread(target=lambda: shutil.copyfileobj(server.stdout, Nowhere()), daemon=True).start()
    return server, port


class Nowhere:
    def write(self, _):
        pass


def main():
    certificate, key, directory, *options = sys.argv[1:]
    while (started := start(certificate, key, directory, options)) is None:
        pass
    server, port = started
    print("PORT", port, flush=True)
    sys.stdin.read()
    server.kill()
    server.wait()


main()
