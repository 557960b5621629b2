from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True)
class Reply:
    """A reply as it came. Names of `headers` are in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def content_type(self) -> str:
        return self.headers.get("content-type", "").split(";")[0].strip()

    @property
    def text(self) -> str:
        return self.content.decode("utf-8", errors="replace")


def parsed(reply: Reply) -> Any:
    return json.loads(reply.content)


def reply_of(response: httpx2.Response, content: bytes = b"") -> Reply:
    return Reply(response.status_code, dict(response.headers), content)
