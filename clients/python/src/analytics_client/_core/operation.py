"""Requests, as both clients send them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Dict, FrozenSet, Iterable, Mapping, Optional, Sequence, Tuple, cast
from urllib.parse import quote, urlencode


@dataclass(frozen=True)
class Operation:
    """How an operation is called: method, path, and what differs from a JSON body and a JSON reply."""

    http: str
    path: str
    reply: str = "json"
    paging: Optional[str] = None
    takes_key: bool = False
    takes_if_match: bool = False
    body_type: str = "application/json"
    file_type: Optional[str] = None


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    """Below `/api`, with the query."""
    content: Optional[bytes]
    content_type: str
    accept: str
    takes_key: bool
    options: Mapping[str, Any]

    @property
    def name(self) -> str:
        return f"{self.method} {self.path.split('?')[0]}"


_ACCEPT = {"events": "text/event-stream", "lines": "application/x-ndjson", "content": "*/*"}
_COMMON: FrozenSet[str] = frozenset({"timeout", "headers", "retries", "on_reply"})


def request_of(
    operation: Operation,
    path: Sequence[object],
    body: Any,
    query: Mapping[str, Any],
    options: Mapping[str, Any],
    accept: Optional[str] = None,
) -> Request:
    _check_options(operation, options)
    content, content_type = _body_of(operation, body)
    return Request(
        method=operation.http,
        path=_filled(operation.path, path) + _query_of(query),
        content=content,
        content_type=content_type,
        accept=accept or _ACCEPT.get(operation.reply, "application/json"),
        takes_key=operation.takes_key and not _asks_for_secret(body),
        options=options,
    )


def _asks_for_secret(body: Any) -> bool:
    """Replies under a key are stored, and a secret that the platform makes is shown only once: it refuses such a call."""
    return isinstance(body, dict) and cast("Dict[str, Any]", body).get("generateSecret") is True


def _check_options(operation: Operation, options: Mapping[str, Any]) -> None:
    takes = {"idempotency_key": operation.takes_key, "if_match": operation.takes_if_match}
    for name in options:
        if name not in _COMMON and not takes.get(name):
            raise TypeError(f"{operation.http} {operation.path} has no parameter or option {name!r}.")


def _filled(path: str, values: Sequence[object]) -> str:
    left = iter(values)

    def fill(match: "re.Match[str]") -> str:
        name, value = match.group(1), next(left)
        if value is None or value == "":
            raise ValueError(f"{name} is missing.")
        # With these as a segment it would be another path, however they are encoded.
        if value in (".", ".."):
            raise ValueError(f'{name} must not be "{value}".')
        return quote(str(value), safe="")

    return re.sub(r"\{(\w+)\}", fill, path)


def _query_of(query: Mapping[str, Any]) -> str:
    pairs = [(name, _text(value)) for name, value in query.items() if value is not None]
    return f"?{urlencode(pairs)}" if pairs else ""


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(_text(item) for item in cast("Iterable[Any]", value))
    return str(value)


def _body_of(operation: Operation, body: Any) -> Tuple[Optional[bytes], str]:
    if body is None:
        return None, operation.body_type
    if operation.body_type == "application/x-www-form-urlencoded":
        return urlencode(body).encode(), operation.body_type
    if isinstance(body, str) and operation.file_type is not None:
        return body.encode(), operation.file_type
    # NaN and infinity are no JSON: the API would answer that it cannot read the body.
    return json.dumps(body, allow_nan=False, ensure_ascii=False).encode(), operation.body_type


def headers_of(
    request: Request, *, credential: Optional[str], key: Optional[str], client_headers: Mapping[str, str]
) -> Dict[str, str]:
    headers = {"accept": request.accept}
    if credential is not None:
        headers["authorization"] = f"Bearer {credential}"
    if request.content is not None:
        headers["content-type"] = request.content_type
    if key is not None:
        headers["idempotency-key"] = key
    if_match = request.options.get("if_match")
    if if_match is not None:
        headers["if-match"] = f'"{if_match}"' if isinstance(if_match, int) else if_match
    own: Mapping[str, str] = request.options.get("headers") or {}
    for more in (client_headers, own):
        headers.update({name.lower(): value for name, value in more.items()})
    return headers
