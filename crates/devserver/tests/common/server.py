"""A dev server for tests. Its words say how it behaves; see `behaviours` in adapter.rs."""
import http.server
import os
import signal
import socket
import sys
import time

words = set(sys.argv[1:])
asked = 0


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        global asked
        asked += 1
        unready = "wakes-slowly" in words and self.path == "/health" and asked < 4
        self.send_response(503 if unready else 200)
        self.end_headers()
        self.wfile.write(b"hello from " + str(os.getpid()).encode())


class Server(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6 if "six" in words else socket.AF_INET


if "dies" in words:
    print("no database at db:5432", file=sys.stderr)
    sys.exit(4)
if "never" in words:
    print("thinking", flush=True)
    time.sleep(1000)
if "deaf" in words:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if "daemon" in words:
    if os.fork():
        sys.exit(0)
    os.setsid()
    if os.fork():
        os._exit(0)
if "has-child" in words and os.fork() == 0:
    os.setsid()
    time.sleep(1000)

port = 0 if "own-port" in words else int(os.environ["PORT"])
server = Server(("::1" if "six" in words else "127.0.0.1", port), Handler)
port = server.server_address[1]
if "prints" in words:
    print(f"  \x1b[32m➜\x1b[39m  Local:   \x1b[36mhttp://localhost:\x1b[1m{port}\x1b[22m/app/\x1b[39m", flush=True)
if "says" in words:
    print(f"compiled, on port {port}", flush=True)
server.serve_forever()
