"""When a request is tried again, and what a reply fails with. Both clients decide by these rules."""

from __future__ import annotations

import json
import random
import time
import uuid
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, Literal, Mapping, Optional, Type, Union, cast

import httpx2

from .. import errors
from .operation import Request, headers_of
from .reply import Reply

TIMEOUT = 60.0
RETRIES = 2
_FIRST_WAIT = 0.5
_MAX_WAIT = 8.0
# A server that wants to be left alone for longer gets no other request of this call.
_MAX_RETRY_AFTER = 60.0


@dataclass(frozen=True)
class Try:
    """What a log hook learns of each try: never a body, a header or a credential."""

    method: str
    path: str
    attempt: int
    """1 for the first."""
    seconds: float
    status: Optional[int]
    """`None` if there was no reply."""
    request_id: Optional[str]


@dataclass(frozen=True)
class Settings:
    """What all calls of a client have in common."""

    base: str
    timeout: Optional[float]
    retries: int
    headers: Mapping[str, str]
    on_try: Optional[Callable[[Try], None]]


def settings_of(
    url: str,
    *,
    timeout: Optional[float],
    retries: Optional[int],
    headers: Optional[Mapping[str, str]],
    on_try: Optional[Callable[[Try], None]],
) -> Settings:
    base = url.rstrip("/")
    return Settings(
        base=base if base.endswith("/api") else f"{base}/api",
        timeout=timeout,
        retries=RETRIES if retries is None else retries,
        headers=headers or {},
        on_try=on_try,
    )


class Call:
    """A call with its tries: its key, its deadline and how often it may be tried."""

    def __init__(self, settings: Settings, request: Request, *, is_stream: bool = False) -> None:
        options = request.options
        self.settings = settings
        self.request = request
        self.is_stream = is_stream
        self.key = _key_of(request)
        self.attempt = 0
        self._retries: int = options.get("retries", settings.retries)
        wanted: Optional[float] = options.get("timeout", settings.timeout)
        self._limit = wanted if wanted is not None or is_stream else TIMEOUT
        self._started = time.monotonic()
        self._tried = self._started

    def begin_try(self) -> None:
        self.attempt += 1
        self._tried = time.monotonic()

    @property
    def seconds_left(self) -> Optional[float]:
        return None if self._limit is None else self._started + self._limit - time.monotonic()

    def check_time(self, cause: Optional[BaseException] = None) -> None:
        left = self.seconds_left
        if left is not None and left <= 0:
            raise errors.TimedOut(f"{self.request.name} took longer than {self._limit:g} seconds.") from cause

    def arguments(self, credential: Optional[str]) -> Dict[str, Any]:
        """Of `build_request`."""
        request, left = self.request, self.seconds_left
        return {
            "method": request.method,
            "url": self.settings.base + request.path,
            "content": request.content,
            "headers": headers_of(request, credential=credential, key=self.key, client_headers=self.settings.headers),
            # A stream may be silent for long, but not while it is opened.
            "timeout": httpx2.Timeout(TIMEOUT, read=left) if self.is_stream else httpx2.Timeout(left),
        }

    def value_of(self, reply: Reply, read: Callable[[Reply], Any]) -> Any:
        if not 200 <= reply.status < 300:
            raise error_of(reply)
        try:
            return read(reply)
        except ValueError as error:
            raise self.failure(error) from error

    def announce(self, reply: Reply) -> None:
        on_reply = self.request.options.get("on_reply")
        if on_reply is not None:
            on_reply(reply)

    def failure(self, cause: Exception) -> errors.AnalyticsError:
        """The error of a try without a complete reply."""
        self.check_time(cause)
        return errors.ConnectionFailed(f"{self.request.name} got no complete reply: {cause or type(cause).__name__}")

    def report(self, reply: Optional[Reply]) -> None:
        if self.settings.on_try is None:
            return
        self.settings.on_try(
            Try(
                method=self.request.method,
                path=self.request.path.split("?")[0],
                attempt=self.attempt,
                seconds=time.monotonic() - self._tried,
                status=reply.status if reply else None,
                request_id=reply.headers.get("x-request-id") if reply else None,
            )
        )

    def is_gone(self, error: errors.AnalyticsError) -> bool:
        """Whether an earlier try has deleted what is to be deleted."""
        return self.request.method == "DELETE" and self.attempt > 1 and isinstance(error, errors.NotFound)

    def wait_before_next(self, error: errors.AnalyticsError) -> float:
        """The seconds to wait before the next try. Raises the error if there should be none."""
        self.check_time(error)
        wait = self._wait(error) if self.attempt <= self._retries else None
        left = self.seconds_left
        if wait is None or (left is not None and wait >= left):
            raise error
        return wait

    def _wait(self, error: errors.AnalyticsError) -> Optional[float]:
        backoff = min(_FIRST_WAIT * 2.0 ** (self.attempt - 1), _MAX_WAIT) * (0.5 + random.random() / 2)
        is_safe = self.key is not None or (self.request.method != "POST" and "if_match" not in self.request.options)
        if not isinstance(error, errors.ApiError):
            return backoff if is_safe else None
        # Neither a refused request nor an unfinished twin has changed anything.
        is_refused = error.status == 429 or error.code == "IDEMPOTENCY_IN_PROGRESS"
        may_pass = error.status in (408, 502, 503, 504) or (error.status == 500 and self.key is not None)
        if not is_refused and not (may_pass and is_safe):
            return None
        wanted = _retry_after(error.headers.get("retry-after"))
        if wanted is None:
            return backoff
        return wanted if wanted <= _MAX_RETRY_AFTER else None


def _key_of(request: Request) -> Optional[str]:
    given: Union[str, None, Literal[False]] = request.options.get("idempotency_key")
    if given is None:
        return str(uuid.uuid4()) if request.takes_key else None
    return given or None


def _retry_after(header: Optional[str]) -> Optional[float]:
    if header is None:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        return max(parsedate_to_datetime(header).timestamp() - time.time(), 0.0)
    except (TypeError, ValueError):
        return None


_BY_STATUS: Dict[int, Type[errors.ApiError]] = {
    400: errors.ValidationError,
    401: errors.Unauthenticated,
    403: errors.Forbidden,
    404: errors.NotFound,
    409: errors.Conflict,
    412: errors.PreconditionFailed,
    422: errors.ValidationError,
    429: errors.RateLimited,
}


def error_of(reply: Reply) -> errors.ApiError:
    """The error of a reply. A proxy may answer with a page in place of a problem document; `detail` has its beginning."""
    problem: Dict[str, Any] = {
        "code": "UNKNOWN",
        "title": "",
        "detail": reply.text[:200] or "The reply has no content.",
        "requestId": reply.headers.get("x-request-id", "unknown"),
        "errors": [],
    }
    problem.update(_problem_of(reply.text), status=reply.status)
    return _class_of(problem["code"], reply.status)(problem, reply.headers)


def _class_of(code: str, status: int) -> Type[errors.ApiError]:
    # It has some hundred classes, which most programs do not need.
    from ..generated.codes import BY_CODE

    of_status = _BY_STATUS.get(status) or (errors.ServerError if status >= 500 else errors.ApiError)
    of_code = BY_CODE.get(code)
    return of_code if of_code is not None and issubclass(of_code, of_status) else of_status


_SHAPES: Dict[str, type] = {"code": str, "title": str, "detail": str, "requestId": str, "errors": list}


def _problem_of(text: str) -> Dict[str, Any]:
    try:
        problem = json.loads(text)
    except ValueError:
        return {}
    if not isinstance(problem, dict):
        return {}
    # SCIM has a shape of its own for errors, without a code.
    members = cast("Dict[str, Any]", problem)
    return {name: value for name, value in members.items() if isinstance(value, _SHAPES.get(name, object))}
