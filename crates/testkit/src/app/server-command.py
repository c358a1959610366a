#!/usr/bin/env python3
"""A server command that keeps seed A's contract, and a dev server that a test can watch.

Everything lies in the script's own folder: `behave.json` says how to misbehave, `calls` has each verb that was asked,
`pids` each server that was started, `state.json` the one that runs.
"""
import datetime
import http.server
import json
import os
import signal
import subprocess
import sys
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))


def path(name):
    return os.path.join(HERE, name)


def read(name):
    try:
        with open(path(name)) as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def write(name, value):
    with open(path(name) + ".part", "w") as file:
        json.dump(value, file)
    os.replace(path(name) + ".part", path(name))


def append(name, line):
    with open(path(name), "a") as file:
        file.write(line + "\n")


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat()


def alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def until(seen, limit=20.0):
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if seen():
            return True
        time.sleep(0.01)
    return False


LOGS = {name: path(name + ".log") for name in ("stdout", "stderr", "combined")}


def running():
    state = read("state.json")
    return state if state and alive(state["pid"]) else None


def answer(value, code=0):
    print("a word on standard output before the answer")
    print(json.dumps(value))
    sys.exit(code)


def launch():
    try:
        os.remove(path("port"))
    except OSError:
        pass
    with open(LOGS["stdout"], "a") as out, open(LOGS["stderr"], "a") as err:
        server = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), "--serve"],
            stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)
    append("pids", str(server.pid))
    if not until(lambda: os.path.exists(path("port"))):
        answer({"status": "error", "error": "no port", "message": "the server never listened"}, 1)
    with open(path("port")) as file:
        port = int(file.read())
    state = {"url": "http://localhost:%d" % port, "port": port, "pid": server.pid, "startedAt": now(), "logs": LOGS}
    write("state.json", state)
    return state


def stop(state):
    if read("behave.json").get("shutdown") != "ignore":
        os.kill(state["pid"], signal.SIGTERM)
        until(lambda: not alive(state["pid"]))
        try:
            os.remove(path("state.json"))
        except OSError:
            pass


def misbehave(verb):
    how = read("behave.json").get(verb)
    if how == "hang":
        time.sleep(600)
    if how == "garbage":
        print("listening {on port")
        sys.exit(0)
    if how == "fail":
        append("stderr.log", "Error: Port 3000 already in use")
        print("boom on standard error", file=sys.stderr)
        answer({"status": "error", "error": "EADDRINUSE", "message": "Port 3000 already in use", "logs": LOGS}, 3)


def main():
    verb = (sys.argv[1:] or ["--start"])[0].lstrip("-")
    if verb == "serve":
        return serve()
    append("calls", " ".join([verb] + sys.argv[2:]))
    misbehave(verb)
    state = running()
    if verb == "start":
        if state:
            answer(dict(state, status="already_running", message="it runs already"))
        answer(dict(launch(), status="ready", message="started"))
    if verb == "restart":
        before = state or {}
        if state:
            stop(state)
        fresh = launch()
        del fresh["logs"]
        answer(dict(fresh, status="restarted", previousPid=before.get("pid"), previousPort=before.get("port"),
                    message="restarted on a new port"))
    if verb == "status":
        if not state:
            answer({"status": "stopped", "message": "it does not run"})
        answer(dict(state, status="running", healthy=True, uptime=1, message="it runs"))
    if verb == "shutdown":
        if not state:
            answer({"status": "already_stopped", "message": "it did not run"})
        stop(state)
        answer({"status": "stopped", "previousPid": state["pid"], "previousPort": state["port"],
                "stoppedAt": now(), "uptime": 1, "message": "stopped"})
    sys.exit(2)


PAGE = """<!doctype html><title>Shop</title><h1>Shop</h1>
<p id=count>0</p><button id=add onclick="count.textContent = +count.textContent + 1">Add</button>
<button id=log onclick="fetch('/api/log?line=added to the basket')">Log</button>
<button id=fail onclick="fetch('/api/fail')">Fail</button>
<button id=throw onclick="throw new Error('nobody catches me')">Throw</button>
<input id=name aria-label=Name><input id=pass aria-label=Pass>
<p id=served>served by PID</p>"""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        if url.path == "/api/log":
            say(sys.stderr, "LOG " + urllib.parse.parse_qs(url.query)["line"][0])
            self.reply(200, "logged")
        elif url.path == "/api/fail":
            say(sys.stderr, "Traceback: the basket is broken")
            self.reply(500, "broken")
        elif url.path == "/die":
            say(sys.stderr, "panic: out of baskets")
            os._exit(7)
        elif url.path == "/never":
            time.sleep(600)
        else:
            self.reply(200, PAGE.replace("PID", str(os.getpid())))

    def reply(self, status, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, form, *args):
        say(sys.stdout, "request " + form % args)


def say(stream, line):
    stream.write(line + "\n")
    stream.flush()
    append("combined.log", line)


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    say(sys.stderr, "warming up")
    append("port.part", str(server.server_address[1]))
    os.replace(path("port.part"), path("port"))
    server.serve_forever()


main()
