"""Runs a server program of the system on a free port of loopback, with a configuration file.

Usage: program_server.py TEMPLATE PROGRAM [ARGUMENT ...]

`{port}` in the template is replaced by the port, and the result is written to TEMPLATE.conf, which
`{configuration}` in the arguments stands for. It prints `PORT n` once the program listens, and ends
with it when its standard input closes, so that none survives the tests.
"""

import pathlib
import random
import socket
import subprocess
import sys
import time


def free_port():
    """A port that the system gives to nobody by itself, so that it is still free a moment later."""
    while True:
        port = random.randrange(10000, 32000)
        try:
            socket.create_server(("127.0.0.1", port)).close()
            return port
        except OSError:
            pass


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port)).close()
        return True
    except OSError:
        return False


def start(template, command):
    """A running program and its port, or nothing if it ended, since somebody else has the port."""
    port = free_port()
    configuration = pathlib.Path(template + ".conf")
    text = pathlib.Path(template).read_text(encoding="utf-8")
    configuration.write_text(text.replace("{port}", str(port)), encoding="utf-8")
    command = [part.replace("{configuration}", str(configuration)) for part in command]
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while server.poll() is None:
        if listens(port):
            return server, port
        time.sleep(0.01)
    return None


def main():
    template, *command = sys.argv[1:]
    for _ in range(5):
        if started := start(template, command):
            break
    else:
        sys.exit(f"{command[0]} ended at once, five times.")
    server, port = started
    print("PORT", port, flush=True)
    sys.stdin.read()
    server.kill()
    server.wait()


main()
