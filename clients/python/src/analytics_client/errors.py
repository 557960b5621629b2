"""What calls fail with. `analytics_client.codes` has an exception for every code."""

from __future__ import annotations

import builtins
from typing import Any, Dict, List, Mapping, TypedDict


class Issue(TypedDict):
    """A place in the request, by its JSON pointer, and what is wrong there."""

    pointer: str
    code: str
    message: str


class AnalyticsError(Exception):
    """The base of every error that a call raises."""


class ConnectionFailed(AnalyticsError, builtins.ConnectionError):
    """There was no reply, or it was cut off."""


class TimedOut(AnalyticsError, builtins.TimeoutError):
    """The call took longer than its `timeout`."""


class ApiError(AnalyticsError):
    """The API has refused the request, or failed. `code` is stable."""

    def __init__(self, problem: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        self.problem: Dict[str, Any] = dict(problem)
        self.status: int = problem["status"]
        self.code: str = problem["code"]
        self.errors: List[Issue] = problem["errors"]
        self.request_id: str = problem["requestId"]
        self.headers = headers
        issues = [f"{issue.get('pointer') or '/'} {issue.get('message')}" for issue in self.errors]
        summary = f"{self.status} {self.code}: {problem['detail']}"
        super().__init__("\n".join([summary, *issues, f"(request {self.request_id})"]))

    def __reduce__(self) -> Any:
        return type(self), (self.problem, dict(self.headers))


class ValidationError(ApiError):
    """The request is wrong; `errors` has every place."""


class Unauthenticated(ApiError):
    """The credential is missing, wrong or expired."""


class Forbidden(ApiError):
    """The caller may not do this."""


class NotFound(ApiError):
    """It does not exist, or the caller may not see it."""


class Conflict(ApiError):
    """The request conflicts with what exists."""


class PreconditionFailed(ApiError):
    """The record has changed since it was read."""


class RateLimited(ApiError):
    """Too many requests."""


class ServerError(ApiError):
    """The platform, or a proxy in front of it, has failed."""
