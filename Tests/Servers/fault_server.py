"""A server that misbehaves on request: one path, one fault.

Usage: fault_server.py [--tls CERTIFICATE KEY] [--tls-max VERSION] [--ipv6] [--never-accept]

It speaks HTTP by hand over raw sockets, so that it can also speak it wrongly. It listens on
loopback on a free port, prints `PORT n`, and ends when its standard input closes.

Every request is written down before it is answered, except those for /numbered. These paths tell
about it and hold it up:
  /log                     all requests so far: number, connection, method, path, headers, body
  /log?path=P&count=N      the same, once N requests for P have arrived
  /connections             how many connections are open, this one not counted
  /connections?open=N      the same, once no more than N are open
  /hold/KEY, /release/KEY  the first is answered after the second
  /sent?path=P             how many bytes of a body were sent for P so far, see do_flood
"""

import argparse
import gzip
import json
import socket
import struct
import sys
import threading
import time
import warnings
import zlib
from urllib.parse import parse_qs, unquote, unquote_to_bytes, urlsplit

changed = threading.Condition()
requests = []  # guarded by changed, as are the next three
released = set()
sent = {}
open_connections = set()


class Request:
    def __init__(self, connection, method, target, headers, body):
        self.connection = connection
        self.method = method
        self.target = target
        self.path = target if method == "CONNECT" else urlsplit(target).path
        self.query = {k: v[-1] for k, v in parse_qs(urlsplit(target).query).items()}
        self.headers = headers
        self.body = body

    def header(self, name):
        return next((v for k, v in self.headers if k.lower() == name), None)

    def as_json(self):
        return {
            "connection": self.connection, "method": self.method, "target": self.target,
            "headers": [{"name": k, "value": v} for k, v in self.headers],
            "body": self.body.decode("latin-1"),
        }


def head(status="200 OK", length=None, *fields):
    lines = [f"HTTP/1.1 {status}"]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    lines += fields
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def plain(body, status="200 OK", *fields):
    body = body if isinstance(body, bytes) else body.encode()
    return head(status, len(body), *fields) + body


def as_json(value, status="200 OK"):
    return plain(json.dumps(value), status, "Content-Type: application/json")


def chunk(data):
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def compressed(kind, data):
    if kind == "gzip":
        return gzip.compress(data)
    if kind == "deflate":
        return zlib.compress(data)
    raise ValueError(kind)


class Close(Exception):
    """The connection is to be closed now, in order."""


class Reset(Exception):
    """The connection is to be reset now."""


class Connection:
    def __init__(self, sock, number):
        self.sock = sock
        self.number = number
        self.file = sock.makefile("rb")
        self.served = 0

    def run(self):
        while True:
            request = self.read_request()
            if request is None:
                return
            if not request.path.startswith("/numbered/"):
                with changed:
                    requests.append(request)
                    changed.notify_all()
            self.served += 1
            self.answer(request)

    def read_request(self):
        if self.file.peek(1)[:1] == b"\x16":
            # TLS where none is spoken. Its bytes need not contain a line break.
            self.send(plain("speak HTTP", "400 Bad Request"))
            raise Close
        line = self.file.readline(65536)
        if not line:
            return None
        method, target, _ = line.decode("latin-1").split(" ", 2)
        headers = []
        while True:
            line = self.file.readline(65536)
            if line in (b"\r\n", b"\n", b""):
                break
            name, _, value = line.decode("latin-1").partition(":")
            headers.append((name, value.strip()))
        request = Request(self.number, method, target, headers, b"")
        if not request.path.startswith("/unread"):
            request.body = b"".join(self.read_body(request))
        return request

    def read_body(self, request):
        """The body in the pieces in which it is best read, chunked or of a stated length."""
        if "chunked" in (request.header("transfer-encoding") or ""):
            while size := int(self.file.readline(), 16):
                yield self.file.read(size)
                self.file.readline()
            self.file.readline()
            return
        left = int(request.header("content-length") or 0)
        while left:
            piece = self.file.read1(min(left, 65536))
            if not piece:
                raise Close
            left -= len(piece)
            yield piece

    def send(self, data):
        self.sock.sendall(data)

    def wait_for_close(self):
        """Keeps the connection open and silent until the client closes it."""
        self.file.read()
        raise Close

    def tunnel(self, request):
        """Answers CONNECT, whatever the host, with a way to the port on loopback."""
        with socket.create_connection(("127.0.0.1", int(request.target.rpartition(":")[2]))) as far:
            self.send(b"HTTP/1.1 200 Connection Established\r\nX-Tunnel: yes\r\n\r\n")

            def return_bytes():
                while data := far.recv(65536):
                    self.send(data)
                self.sock.shutdown(socket.SHUT_WR)

            back = threading.Thread(target=return_bytes, daemon=True)
            back.start()
            while data := self.file.read1(65536):
                far.sendall(data)
            far.shutdown(socket.SHUT_WR)
            back.join()
        raise Close

    def answer(self, request):
        if request.method == "CONNECT":
            self.tunnel(request)
        first, _, rest = request.path.lstrip("/").partition("/")
        handler = getattr(self, "do_" + first.replace("-", "_"), None)
        if handler is None:
            self.send(plain("no such fault", "404 Not Found"))
        else:
            handler(request, unquote(rest))

    # What went right.

    def do_ok(self, request, rest):
        self.send(plain("ok", "200 OK", "Content-Type: text/plain"))

    def do_echo(self, request, rest):
        self.send(as_json(request.as_json()))

    def do_status(self, request, rest):
        if rest in ("204", "304"):
            self.send(head(f"{rest} No Body"))
        else:
            self.send(plain(f"status {rest}", f"{rest} Status"))

    def do_redirect(self, request, rest):
        self.send(plain("elsewhere", "302 Found", "Location: /ok"))

    def do_headers(self, request, rest):
        """Repeated names, odd case, an empty value, a continuation line, space around values."""
        self.send(plain("", "200 OK", "X-One: 1", "x-one:  2 ", "X-Empty:", "X-Long: a", "  b"))

    def do_interim(self, request, rest):
        self.send(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nX-Interim: yes\r\n\r\n")
        self.send(plain("final", "200 OK", "X-Final: yes"))

    def do_trailers(self, request, rest):
        self.send(head("200 OK", None, "Transfer-Encoding: chunked") + chunk(b"body"))
        self.send(b"0\r\nX-Trailer: late\r\n\r\n")

    def do_chunked(self, request, rest):
        self.send(head("200 OK", None, "Transfer-Encoding: chunked"))
        for part in (b"one ", b"two ", b"three"):
            self.send(chunk(part))
        self.send(b"0\r\n\r\n")

    def do_bytes(self, request, rest):
        self.send(plain(bytes(range(256)) * (int(rest) // 256)))

    def do_encoded(self, request, rest):
        body = compressed(rest, b"decoded " * 100)
        self.send(plain(body, "200 OK", f"Content-Encoding: {rest}"))

    # What takes its time.

    def do_slow(self, request, rest):
        self.wait_for_close()

    def do_drip(self, request, rest):
        """Ten bytes of a hundred, and then nothing more."""
        self.send(head("200 OK", 100) + b"x" * 10)
        self.wait_for_close()

    def do_hold(self, request, rest):
        with changed:
            changed.wait_for(lambda: rest in released)
        self.send(plain(rest))

    def do_release(self, request, rest):
        with changed:
            released.add(rest)
            changed.notify_all()
        self.send(plain("released"))

    # What is cut short or ill-formed.

    def do_cut(self, request, rest):
        self.send(head("200 OK", 100) + b'[{"id": 1},')
        raise Close

    def do_cut_chunked(self, request, rest):
        self.send(head("200 OK", None, "Transfer-Encoding: chunked") + chunk(b"only this"))
        raise Close

    def do_cut_headers(self, request, rest):
        self.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/pl")
        raise Close

    def do_bad_chunk(self, request, rest):
        self.send(head("200 OK", None, "Transfer-Encoding: chunked") + b"zz\r\nbody\r\n0\r\n\r\n")
        raise Close

    def do_cutgzip(self, request, rest):
        """A gzip body without its last bytes, under a length that matches what is sent."""
        body = gzip.compress(bytes((i * 7919) % 251 for i in range(1000)))
        cut = int(rest or "12")
        data = body[:-cut]
        if request.query.get("chunked"):
            size = int(request.query["chunked"])
            self.send(head("200 OK", None, "Transfer-Encoding: chunked", "Content-Encoding: gzip"))
            for start in range(0, len(data), size):
                self.send(chunk(data[start:start + size]))
            self.send(b"0\r\n\r\n")
        else:
            self.send(plain(data, "200 OK", "Content-Encoding: gzip"))

    def do_wholegzip(self, request, rest):
        """A whole gzip body in chunks of a size, so that its end falls anywhere between them."""
        data = gzip.compress(b"decoded " * 100)
        size = int(rest)
        self.send(head("200 OK", None, "Transfer-Encoding: chunked", "Content-Encoding: gzip"))
        for start in range(0, len(data), size):
            self.send(chunk(data[start:start + size]))
        self.send(b"0\r\n\r\n")

    def do_not_gzip(self, request, rest):
        self.send(plain("this is not gzip", "200 OK", "Content-Encoding: gzip"))

    def do_unknown_encoding(self, request, rest):
        self.send(plain("body", "200 OK", "Content-Encoding: rot13"))

    def do_status_line(self, request, rest):
        """A status line that begins with whatever the path holds, escapes decoded, and a body."""
        self.send(rest.encode("latin-1") + b"\r\nContent-Length: 4\r\n\r\nbody")
        raise Close

    def do_bad_trailer(self, request, rest):
        """A chunked body that is whole, but for a trailer that is no header field."""
        self.send(head("200 OK", None, "Transfer-Encoding: chunked") + chunk(b"body"))
        self.send(b"0\r\nHTTP/1.1 500 No Field\r\n\r\n")
        raise Close

    def do_no_colon(self, request, rest):
        self.send(b"HTTP/1.1 200 OK\r\nno field at all\r\nContent-Length: 4\r\n\r\nbody")
        raise Close

    def do_see_other(self, request, rest):
        self.send(plain("", "303 See Other", "Location: /posts/101"))

    def do_two_lengths(self, request, rest):
        self.send(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\ncontent-length: 10\r\n\r\n0123456789")

    def do_same_length_twice(self, request, rest):
        self.send(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n01234")

    def do_garbage(self, request, rest):
        self.send(b"\x16\x03\x01 this is not HTTP at all\r\n\r\n")
        raise Close

    def do_nul_header(self, request, rest):
        self.send(b"HTTP/1.1 200 OK\r\nX-A: b\x00c\r\nContent-Length: 0\r\n\r\n")
        raise Close

    def do_empty(self, request, rest):
        raise Close

    def do_reset(self, request, rest):
        raise Reset

    # What is too much.

    def do_huge(self, request, rest):
        self.send(head("200 OK", 10**12) + b"x" * 1000)
        self.wait_for_close()

    def do_huge_chunked(self, request, rest):
        self.send(head("200 OK", None, "Transfer-Encoding: chunked"))
        while True:
            self.send(chunk(b"x" * 65536))

    def do_gzip_bomb(self, request, rest):
        self.send(plain(gzip.compress(bytes(60_000_000), 1), "200 OK", "Content-Encoding: gzip"))

    def do_many_headers(self, request, rest):
        self.send(plain("", "200 OK", *[f"X-{i}: {'v' * 90}" for i in range(int(rest))]))

    def do_long_header(self, request, rest):
        self.send(plain("", "200 OK", "X-Long: " + "v" * int(rest)))

    # What happens to a request on a connection that was used before.

    def do_close_after_post_on_reused_connection(self, request, rest):
        """Reads the request and closes, but only if the connection has served another before."""
        if self.served > 1:
            raise Close
        self.do_ok(request, rest)

    # What comes and goes in streams.

    def do_steps(self, request, rest):
        """A chunk of one letter for each in the path; each but the first waits for its release."""
        self.send(head("200 OK", None, "Transfer-Encoding: chunked"))
        key, _, letters = rest.partition("/")
        for index, letter in enumerate(letters):
            with changed:
                changed.wait_for(lambda: index == 0 or key + letter in released)
            self.send(chunk(letter.encode()))
        with changed:
            changed.wait_for(lambda: key + "end" in released)
        self.send(b"0\r\n\r\n")

    def do_steps_cut(self, request, rest):
        """One chunk, and the connection closes after a release."""
        self.send(head("200 OK", None, "Transfer-Encoding: chunked") + chunk(b"a"))
        with changed:
            changed.wait_for(lambda: rest + "cut" in released)
        raise Close

    def do_flood(self, request, rest):
        """So many bytes, 0 to 255 again and again; how many the client let through is counted."""
        left = int(rest)
        self.send(head("200 OK", left))
        block = bytes(range(256)) * 256
        while left:
            piece = block[:min(left, len(block))]
            self.send(piece)
            left -= len(piece)
            with changed:
                sent[request.path] = sent.get(request.path, 0) + len(piece)

    def do_gzip_flood(self, request, rest):
        self.send(plain(gzip.compress(bytes(int(rest)), 1), "200 OK", "Content-Encoding: gzip"))

    def do_sent(self, request, rest):
        with changed:
            count = sent.get(request.query["path"], 0)
        self.send(as_json({"bytes": count}))

    def do_unread_count(self, request, rest):
        """Reads a body without keeping it, and says what it was: bytes, and their checksum."""
        count, checksum = 0, 0
        for piece in self.read_body(request):
            count += len(piece)
            checksum = zlib.crc32(piece, checksum)
        self.send(as_json({"bytes": count, "crc32": checksum}))

    def do_unread_refused(self, request, rest):
        """Refuses a body without reading it, and then reads all the same, for the client's sake."""
        self.send(plain("too large", "413 Content Too Large", "Connection: close"))
        self.sock.shutdown(socket.SHUT_WR)
        self.wait_for_close()

    def do_unread_never(self, request, rest):
        """Neither reads the body nor answers."""
        with changed:
            changed.wait_for(lambda: rest in released)
        raise Close

    def do_unread_first(self, request, rest):
        """Answers with each piece of the body as it comes."""
        self.send(head("200 OK", None, "Transfer-Encoding: chunked"))
        for piece in self.read_body(request):
            self.send(chunk(piece))
        self.send(b"0\r\n\r\n")

    # What leads elsewhere, or succeeds only later.

    def do_redirect_to(self, request, rest):
        """Leads with status `rest` to the query's `to`; without one there is no Location."""
        fields = [f"Location: {request.query['to']}"] if "to" in request.query else []
        self.send(plain("elsewhere", f"{rest} Elsewhere", *fields))

    def do_around(self, request, rest):
        """A circle of so many URLs as the path says: /around/3/0 leads to /around/3/1."""
        size, _, place = rest.partition("/")
        self.send(plain("", "302 Found", f"Location: {(int(place or '0') + 1) % int(size)}"))

    def do_flaky(self, request, rest):
        """Fails the first `fail` times that this path is asked for, then echoes.

        The query says how: `status`, or `close` for a connection that ends without an answer, and
        `retry_after` is what the header of that name says.
        """
        with changed:
            count = sum(r.path == request.path for r in requests)
        if count > int(request.query.get("fail", "1")):
            self.do_echo(request, rest)
        elif "close" in request.query:
            raise Close
        else:
            asked = request.query.get("retry_after")
            fields = [f"Retry-After: {asked}"] if asked is not None else []
            self.send(plain("later", f"{request.query['status']} Later", *fields))

    # What is asked about the above.

    def do_log(self, request, rest):
        path, count = request.query.get("path"), int(request.query.get("count", "0"))
        matching = lambda: [r for r in requests if path in (None, r.path) and r.path != "/log"]
        with changed:
            changed.wait_for(lambda: len(matching()) >= count)
            log = [r.as_json() for r in matching()]
        self.send(as_json(log))

    def do_connections(self, request, rest):
        limit = request.query.get("open")
        others = lambda: len(open_connections - {self.number})
        with changed:
            if limit is not None:
                changed.wait_for(lambda: others() <= int(limit))
            answer = {"open": others()}
        self.send(as_json(answer))

    # What goes over the wire as the test says, and what never ends.

    def do_wire(self, request, rest):
        """What the path holds after `wire/THEN/`, escapes decoded, byte for byte.

        THEN is what happens to the connection: close, reset, half (the server's half is closed,
        the client's is awaited), keep (the next request is read), or late-KEY: whole bytes up to
        the first `|`, and the others after the release of KEY, whereupon KEYsent is released.
        """
        then, _, escaped = request.path.removeprefix("/wire/").partition("/")
        data = unquote_to_bytes(escaped)
        if then.startswith("late-"):
            key = then.removeprefix("late-")
            at_once, _, later = data.partition(b"|")
            self.send(at_once)
            with changed:
                changed.wait_for(lambda: key in released)
            self.send(later)
            with changed:
                released.add(key + "sent")
                changed.notify_all()
            return
        self.send(data)
        if then == "close":
            raise Close
        if then == "reset":
            raise Reset
        if then == "half":
            self.sock.shutdown(socket.SHUT_WR)
            self.wait_for_close()

    def do_endless(self, request, rest):
        """The bytes of the path, and then those of the query's `again`, until nobody takes them."""
        self.send(unquote_to_bytes(request.path.removeprefix("/endless/")))
        again = request.query["again"].encode("latin-1") * 100
        while True:
            self.send(again)

    def do_trickle(self, request, rest):
        """A byte every tenth of a second, of a head or of a body, without end."""
        self.send(b"HTTP/1.1 200 OK\r\nX-Slow: " if rest == "head" else head("200 OK", 400_000))
        while True:
            self.send(b"a")
            time.sleep(0.1)

    def do_unread_early(self, request, rest):
        """Answers with a status before the body was read, reads it, and goes on."""
        self.send(plain("early", f"{rest} Early"))
        for _ in self.read_body(request):
            pass

    def do_numbered(self, request, rest):
        """A body of so many bytes that is like no other number's, framed as the query says."""
        number, _, size = rest.partition("/")
        body = (f"{number};".encode() * (int(size) // len(number) + 1))[:int(size)]
        frame = request.query.get("frame", "length")
        status = request.query.get("status", "200") + " Numbered"
        fields = []
        if "gzip" in frame:
            body = gzip.compress(body, 1)
            fields = ["Content-Encoding: gzip"]
        if "chunked" in frame:
            self.send(head(status, None, "Transfer-Encoding: chunked", *fields))
            for start in range(0, len(body), 5000):
                self.send(chunk(body[start:start + 5000]))
            self.send(b"0\r\n\r\n")
        elif "close" in frame:
            self.send(head(status, None, "Connection: close", *fields) + body)
            raise Close
        else:
            self.send(plain(body, status, *fields))


def serve(sock, number, context):
    with changed:
        open_connections.add(number)
    connection = None
    try:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if context is not None:
            sock = context.wrap_socket(sock, server_side=True)
        connection = Connection(sock, number)
        connection.run()
    except Reset:
        # Closing with a linger time of zero sends RST.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    except (Close, OSError, ValueError):
        pass
    finally:
        if connection is not None:
            connection.file.close()
        sock.close()
        with changed:
            open_connections.discard(number)
            changed.notify_all()


def never_accept(listener):
    """Fills the listener's queue, so that the system ignores every further attempt to connect."""
    fillers = []
    while True:
        filler = socket.socket()
        fillers.append(filler)
        filler.settimeout(0.3)
        try:
            filler.connect(listener.getsockname())
        except TimeoutError:
            return fillers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tls", nargs=2, metavar=("CERTIFICATE", "KEY"))
    parser.add_argument("--tls-max", choices=["1.0", "1.1", "1.2", "1.3"])
    parser.add_argument("--ipv6", action="store_true")
    parser.add_argument("--never-accept", action="store_true")
    options = parser.parse_args()
    context = None
    if options.tls:
        import ssl  # Takes as long to load as all the rest together.
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options.tls)
        if options.tls_max:
            # That the old versions are deprecated is what they are here for.
            warnings.simplefilter("ignore", DeprecationWarning)
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version = ssl.TLSVersion.TLSv1
            context.maximum_version = {
                "1.0": ssl.TLSVersion.TLSv1, "1.1": ssl.TLSVersion.TLSv1_1,
                "1.2": ssl.TLSVersion.TLSv1_2, "1.3": ssl.TLSVersion.TLSv1_3,
            }[options.tls_max]
    family = socket.AF_INET6 if options.ipv6 else socket.AF_INET
    address = ("::1" if options.ipv6 else "127.0.0.1", 0)
    backlog = 0 if options.never_accept else 512
    listener = socket.create_server(address, family=family, backlog=backlog)
    fillers = never_accept(listener) if options.never_accept else []
    print("PORT", listener.getsockname()[1], flush=True)
    if fillers:
        sys.stdin.read()
        return

    def accept():
        number = 0
        while True:
            sock, _ = listener.accept()
            number += 1
            threading.Thread(target=serve, args=(sock, number, context), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    sys.stdin.read()


main()
