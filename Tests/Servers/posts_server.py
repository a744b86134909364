#!/usr/bin/env python3
"""A posts API in the shape of JSONPlaceholder, for tests and demonstrations.

    posts_server.py [--port N] [--data DIR] [--fault NAME] [--see-other] [--until-eof]

It binds loopback only, says `PORT n` on its standard output once it listens, and keeps what is
posted in memory until it ends.

    GET  /users  /users/ID      users
    GET  /posts  /posts/ID      posts, also ?userId=N
    POST /posts                 stores one; JSON only; 201 with the post and a Location
    GET  /arrivals?count=N      answers once N other requests have come, also under a fault

Anything else is 404 with {}. --data serves users.json and posts.json, or *-users.json and
*-posts.json, from a folder. --fault makes every request fail in one way. --see-other answers a POST
that was stored with 303 instead of 201. --until-eof ends the server when its standard input ends,
so that it cannot outlive whoever started it.
"""

import argparse
import glob
import json
import os
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

FAULTS = {
    "404": "status 404 with {}",
    "500": "status 500 with a JSON message",
    "html": "status 200 with a web page",
    "cut": "JSON that is cut off, with the right length",
    "truncated": "a length that is larger than what is sent",
    "wrong-types": "valid JSON in which one field has the wrong type",
    "slow": "a connection that never answers",
    "empty": "status 200 with an empty body",
    "unauthorized": "status 401 with a JSON message",
    "redirect": "status 302 to another path",
}

# --- The data ---------------------------------------------------------------------------------

PEOPLE = [
    ("Maren Holt", "maren", "Kiel", "Holt & Daughters", "Clockwork since 1911"),
    ("Tomás Quiroga", "tquiroga", "Rosario", "Río Abajo", "Boats that come back"),
    ("Aino Väisänen", "aino", "Oulu", "Pohjoinen Puu", "Wood that remembers"),
    ("Emeka Obi", "emeka", "Enugu", "Obi Radio", "Every valley hears it"),
    ("Zoë Lindqvist-Park", "zoe", "Malmö", "Kvarnen", "Flour by the hour"),
    ("王小雨", "xiaoyu", "杭州", "西湖茶舍", "一杯茶的時間"),
    ("Siobhán Ní Dhálaigh", "siobhan", "Galway", "Cladach", "Nets and knots"),
    ("Наталья Орлова", "orlova", "Псков", "Речной порт", "Груз доходит"),
    ("Yusuf Aydın", "yusuf", "İzmir", "Aydın Fırın", "Bread before dawn"),
    ("Léa d'Aubigny", "lea", "Nîmes", "Atelier du Pont", "Stone, slowly"),
]

OPENINGS = [
    "The river rose in the night and nobody heard it.",
    "We took the small road, because the large one was under water.",
    "My grandmother kept a list of every storm since 1938.",
    "There are eleven steps down to the old sluice.",
    "On Tuesday the wheel stopped for the first time in six years.",
    "A letter came for somebody who has never lived here.",
    "The new bridge is two metres wider than the map says.",
    "Nobody could say who had painted the gate blue.",
    "It was so quiet that we could count the drops.",
    "The baker opens at four, and at five the bread is gone.",
]
MIDDLES = [
    "We stood on the bank with lamps and waited — für alle Fälle.",
    "A heron watched us the whole time, as if it kept the accounts.",
    "Somebody said \"leave it\", somebody else had already begun.",
    "The plan was simple: one rope, two knots, no talking.",
    "I wrote the numbers down twice: 3/4 of a turn, 12 °C, no wind.",
    "Mañana, said the mason, and for once he meant tomorrow.",
    "You could smell wet stone, tar & apples.",
    "水は低い方へ流れる, said the note on the door.",
    "Half of it was luck, the other half was grease.",
    "The children had a name for every single plank.",
]
ENDINGS = [
    "By noon it was running again.",
    "We have kept the key under the third stone ever since.",
    "Nothing was lost but a hat.",
    "The list now has one more line.",
    "Next year we will start earlier.",
    "It still leaks, but only on Sundays.",
    "Nobody has asked about it since.",
    "That is how the dog got its name: Čáp.",
    "The water did the rest. 🌊",
    "If you pass by, knock twice.",
]
SUBJECTS = [
    "The blue gate", "A list of storms", "Eleven steps", "Bread before dawn", "The heron",
    "High water", "What the mason said", "Die alte Schleuse", "A rope & two knots", "水車小屋",
]
ASPECTS = [
    "seen from the bridge", "in three sentences", "again", "after the rain", "explained",
    "and its keeper", "à contre-courant", "without a map", "by lamplight", "for beginners",
]


def own_users():
    users = []
    for index, (name, account, city, company, phrase) in enumerate(PEOPLE, start=1):
        users.append({
            "id": index,
            "name": name,
            "username": account,
            "email": f"{account}@posts.example",
            "address": {"street": f"Mill Lane {index * 3}", "city": city,
                        "geo": {"lat": f"{40 + index}.25", "lng": f"{index}.5"}},
            "phone": f"+00 {index:03} 555 01{index:02}",
            "website": f"{account}.example",
            "company": {"name": company, "catchPhrase": phrase},
        })
    return users


def own_posts():
    posts = []
    for index in range(100):
        # Steps that share no factor with ten: every post gets a combination of its own.
        row, column = divmod(index, 10)
        posts.append({
            "userId": row + 1,
            "id": index + 1,
            "title": f"{SUBJECTS[column]} {ASPECTS[(row + 3 * column) % 10]}",
            "body": "\n".join([
                OPENINGS[(column + row) % 10],
                MIDDLES[(3 * column) % 10],
                ENDINGS[(7 * column + 3 * row) % 10],
            ]),
        })
    return posts


def load(directory, name):
    candidates = [os.path.join(directory, f"{name}.json")]
    candidates += sorted(glob.glob(os.path.join(directory, f"*-{name}.json")))
    for candidate in candidates:
        if os.path.exists(candidate):
            with open(candidate, encoding="utf-8") as file:
                return json.load(file)
    sys.exit(f"posts_server: there is neither {name}.json nor *-{name}.json in {directory}")


class Data:
    def __init__(self, users, posts):
        self.lock = threading.Lock()
        self.users = users
        self.posts = posts
        self.arrivals = 0
        self.arrived = threading.Condition()

    def arrive(self):
        with self.arrived:
            self.arrivals += 1
            self.arrived.notify_all()

    def wait_for_arrivals(self, count):
        with self.arrived:
            return self.arrived.wait_for(lambda: self.arrivals >= count, timeout=20)

    def add(self, fields):
        with self.lock:
            counted = [post["id"] for post in self.posts if isinstance(post.get("id"), int)]
            post = {**fields, "id": max(counted, default=0) + 1}
            self.posts.append(post)
            return post

    def list(self, name):
        with self.lock:
            return list(self.users if name == "users" else self.posts)


# --- HTTP -------------------------------------------------------------------------------------


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "posts_server"
    sys_version = ""
    # A response goes out as one write: without this the second waits for an acknowledgement.
    wbufsize = -1
    disable_nagle_algorithm = True
    # A client that keeps its connection open must not keep a thread for ever.
    timeout = 60

    def do_GET(self):
        self.serve(self.get)

    def do_POST(self):
        self.serve(self.post)

    def do_PUT(self):
        self.serve(self.not_found)

    do_PATCH = do_DELETE = do_PUT

    def do_HEAD(self):
        self.serve(self.get)

    def serve(self, answer):
        length = self.headers.get("Content-Length", "0")
        if "Transfer-Encoding" in self.headers or not length.isdigit() or int(length) > 10_000_000:
            self.close_connection = True
            self.send_json(400, {"message": "send the body with its length, 10 MB at most"})
            return self.linger()
        # Read in every case: what is left of it would be taken for the next request.
        self.body = self.rfile.read(int(length))
        if urlsplit(self.path).path == "/arrivals":
            return self.await_arrivals()
        self.server.data.arrive()
        if self.server.fault:
            return self.fail(self.server.fault)
        answer()

    def linger(self):
        """Takes what is still sent, or closing would reset the connection and lose the answer."""
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_WR)
        self.connection.settimeout(5)
        try:
            while self.connection.recv(1 << 16):
                pass
        except OSError:
            pass  # The client has gone, or goes on for too long.

    def get(self):
        url = urlsplit(self.path)
        segments = [unquote(segment) for segment in url.path.split("/") if segment]
        if not segments or segments[0] not in ("users", "posts") or len(segments) > 2:
            return self.not_found()
        records = self.server.data.list(segments[0])
        if len(segments) == 2:
            found = [record for record in records if str(record.get("id")) == segments[1]]
            return self.send_json(200, found[0]) if found else self.not_found()
        wanted = parse_qs(url.query).get("userId")
        if wanted and segments[0] == "posts":
            records = [record for record in records if str(record.get("userId")) in wanted]
        self.send_json(200, records)

    def post(self):
        if urlsplit(self.path).path.rstrip("/") != "/posts":
            return self.not_found()
        if self.headers.get_content_type() != "application/json":
            return self.refuse("the Content-Type must be application/json")
        try:
            fields = json.loads(self.body.decode("utf-8"))
        except ValueError as error:
            return self.refuse(f"the body is not JSON: {error}")
        if not isinstance(fields, dict):
            return self.refuse("the body must be a JSON object")
        for name in ("title", "body"):
            if not isinstance(fields.get(name, ""), str):
                return self.refuse(f"{name} must be a string")
        if not fields.get("title"):
            return self.refuse("title must not be empty")
        post = self.server.data.add(fields)
        status = 303 if self.server.sees_other else 201
        self.send_json(status, post, {"Location": f"{self.base_url()}/posts/{post['id']}"})

    def await_arrivals(self):
        count = parse_qs(urlsplit(self.path).query).get("count", ["1"])[0]
        if not count.isdigit():
            return self.refuse("count must be a number")
        came = self.server.data.wait_for_arrivals(int(count))
        self.send_json(200 if came else 504, {"arrivals": self.server.data.arrivals})

    def base_url(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def not_found(self):
        self.send_json(404, {})

    def refuse(self, message):
        self.send_json(400, {"message": message})

    def fail(self, fault):
        records = self.server.data.list("users" if self.path.startswith("/users") else "posts")
        text = json.dumps(records, ensure_ascii=False, indent=2).encode("utf-8")
        if fault == "404":
            self.not_found()
        elif fault == "500":
            self.send_json(500, {"message": "the mill has stopped"})
        elif fault == "html":
            page = "<!DOCTYPE html>\n<html><body><h1>Sign in to the network</h1></body></html>\n"
            self.send_bytes(200, page.encode("utf-8"), "text/html; charset=utf-8")
        elif fault == "cut":
            self.send_bytes(200, text[: len(text) // 2])
        elif fault == "truncated":
            self.close_connection = True
            self.send_bytes(200, text[: len(text) // 2], length=len(text))
        elif fault == "wrong-types":
            records = [dict(record) for record in records]
            if len(records) > 3:
                records[3]["id" if self.path.startswith("/users") else "userId"] = None
            self.send_json(200, records)
        elif fault == "slow":
            self.close_connection = True
            # Until the client gives up and closes, or the server ends.
            self.connection.settimeout(None)
            try:
                self.connection.recv(1)
            except OSError:
                pass
        elif fault == "empty":
            self.send_bytes(200, b"")
        elif fault == "unauthorized":
            self.send_json(
                401, {"message": "a token is needed"}, {"WWW-Authenticate": 'Bearer realm="posts"'})
        elif fault == "redirect":
            self.send_json(302, {}, {"Location": f"{self.base_url()}/moved{self.path}"})

    def send_json(self, status, value, headers=None):
        # Indented as JSONPlaceholder does, and not escaped, so that real UTF-8 travels.
        text = json.dumps(value, ensure_ascii=False, indent=2)
        self.send_bytes(status, text.encode("utf-8"), headers=headers)

    def send_bytes(
        self, status, body, content_type="application/json; charset=utf-8", length=None,
        headers=None,
    ):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, format, *args):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    # The default of 5 refuses connections when a client opens many at once.
    request_queue_size = 128

    def __init__(self, port, data, fault, sees_other):
        self.data = data
        self.fault = fault
        self.sees_other = sees_other
        super().__init__(("127.0.0.1", port), Handler)

    def server_bind(self):
        # HTTPServer looks its own name up, which may ask a name server.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = self.server_address[:2]

    def handle_error(self, request, client_address):
        # A client that goes away is not the server's error; anything else is a defect of its own.
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


def main():
    parser = argparse.ArgumentParser(
        description="A posts API in the shape of JSONPlaceholder, on loopback.",
        epilog="faults: " + "; ".join(f"{name}: {text}" for name, text in FAULTS.items()))
    parser.add_argument("--port", type=int, default=0, help="the port; 0, the default, takes any")
    parser.add_argument("--data", metavar="DIR", help="a folder with users.json and posts.json")
    parser.add_argument("--fault", choices=FAULTS, help="how every request fails")
    parser.add_argument("--see-other", action="store_true", help="answer a stored POST with 303")
    parser.add_argument("--until-eof", action="store_true", help="end with the standard input")
    options = parser.parse_args()
    if options.data:
        data = Data(load(options.data, "users"), load(options.data, "posts"))
    else:
        data = Data(own_users(), own_posts())
    server = Server(options.port, data, options.fault, options.see_other)
    print(f"PORT {server.server_port}", flush=True)
    if options.until_eof:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        while sys.stdin.buffer.read(4096):
            pass
        return
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
