from __future__ import annotations

import time
from typing import Any, Callable, Optional, Union

import httpx2

from .. import errors
from .operation import Request
from .reply import Reply, parsed, reply_of
from .retries import Call, Settings


class Sender:
    """Sends requests, and repeats those whose repetition changes nothing more."""

    def __init__(
        self,
        settings: Settings,
        credential: Union[str, Callable[[], str], None],
        http: httpx2.Client,
    ) -> None:
        self.settings = settings
        self.http = http
        self._credential = credential

    def json(self, request: Request) -> Any:
        return self._send(Call(self.settings, request), parsed)

    def content(self, request: Request) -> Any:
        return self._send(Call(self.settings, request), lambda reply: reply)

    def none(self, request: Request) -> None:
        self._send(Call(self.settings, request), lambda reply: None)

    def open(self, request: Request) -> httpx2.Response:
        """A reply whose content is still to be read; the caller closes it."""
        response: httpx2.Response = self._send(Call(self.settings, request, is_stream=True), lambda reply: None)
        return response

    def _send(self, call: Call, read: Callable[[Reply], Any]) -> Any:
        while True:
            call.begin_try()
            try:
                return self._try_once(call, read)
            except errors.AnalyticsError as error:
                if call.is_gone(error):
                    return None
                wait = call.wait_before_next(error)
            time.sleep(wait)

    def _try_once(self, call: Call, read: Callable[[Reply], Any]) -> Any:
        credential = self._credential() if callable(self._credential) else self._credential
        built = self.http.build_request(**call.arguments(credential))
        reply: Optional[Reply] = None
        try:
            response = self.http.send(built, stream=True, follow_redirects=False)
            reply = reply_of(response)
            if call.is_stream and response.is_success:
                return response
            complete = reply = self._read(call, response)
            value = call.value_of(complete, read)
        except httpx2.RequestError as error:
            raise call.failure(error) from error
        finally:
            call.report(reply)
        call.announce(complete)
        return value

    def _read(self, call: Call, response: httpx2.Response) -> Reply:
        content = bytearray()
        try:
            for chunk in response.iter_bytes():
                content += chunk
                call.check_time()
        finally:
            response.close()
        return reply_of(response, bytes(content))
