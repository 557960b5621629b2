"""A server that gives its answers one after the other, the last one for good, and keeps what it was asked."""

from __future__ import annotations

import json
import socket
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Callable, Dict, Iterable, List, Optional, Type

PROBLEM = {"title": "Wrong", "detail": "What went wrong.", "requestId": "r1", "errors": []}


@dataclass
class Seen:
    method: str
    path: str
    """Below `/api`, with the query."""
    headers: Dict[str, str]
    body: bytes


Answer = Callable[[BaseHTTPRequestHandler, Seen], None]


def raw(status: int, content: bytes, **headers: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler, seen: Seen) -> None:
        handler.send_response(status)
        for name, value in {"content_length": str(len(content)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(content)

    return answer


def reply(status: int, body: Any, **headers: str) -> Answer:
    return raw(status, json.dumps(body).encode(), content_type="application/json", **headers)


def problem(status: int, code: str, **headers: str) -> Answer:
    return reply(status, {"status": status, "code": code, **PROBLEM}, **headers)


def hang_up(handler: BaseHTTPRequestHandler, seen: Seen) -> None:
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def cut_off(handler: BaseHTTPRequestHandler, seen: Seen) -> None:
    """Answers with the beginning of a body, and hangs up."""
    handler.send_response(200)
    handler.send_header("content-length", "100")
    handler.end_headers()
    handler.wfile.write(b'{"id":')
    hang_up(handler, seen)


def stream(pieces: Iterable[str], content_type: str = "text/event-stream") -> Answer:
    """Sends pieces of text in chunks of the reply; hangs up after the last if that is empty."""

    def answer(handler: BaseHTTPRequestHandler, seen: Seen) -> None:
        handler.send_response(200)
        handler.send_header("content-type", content_type)
        handler.send_header("transfer-encoding", "chunked")
        handler.end_headers()
        for piece in pieces:
            if piece == "":
                return hang_up(handler, seen)
            content = piece.encode()
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(content), content))
        handler.wfile.write(b"0\r\n\r\n")

    return answer


class ScriptedServer:
    def __init__(self, *answers: Answer) -> None:
        self.seen: List[Seen] = []
        lock = threading.Lock()
        seen = self.seen

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                asked = Seen(self.command, self.path.replace("/api", "", 1), headers, body)
                with lock:
                    seen.append(asked)
                    answer = answers[min(len(seen), len(answers)) - 1]
                answer(self, asked)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass  # A client that hangs up is part of the tests.

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> ScriptedServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
