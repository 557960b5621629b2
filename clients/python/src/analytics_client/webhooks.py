"""Deliveries of webhooks."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, Mapping, Optional, TypedDict, Union, cast

from .errors import AnalyticsError

_MAX_AGE_SECONDS = 5 * 60


class WebhookError(AnalyticsError):
    """Why a delivery was not accepted."""


class WebhookEvent(TypedDict):
    event: str
    timestamp: str
    """When it happened."""
    data: Dict[str, Any]


def verify(
    secret: str, headers: Mapping[str, str], body: Union[bytes, str], *, now: Optional[float] = None
) -> WebhookEvent:
    """The event of a delivery, if its signature is right. Pass the body as it came, before any parsing.

    For a day after a change of the secret, deliveries are signed with the previous one too, so a receiver that still
    has it goes on. Raises `WebhookError` for a wrong signature, and for a delivery that is older than five minutes.
    """
    given = {name.lower(): value for name, value in headers.items()}
    timestamp = given.get("x-service-timestamp", "")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookError("The delivery has no timestamp.")
    if abs((time.time() if now is None else now) - int(timestamp)) > _MAX_AGE_SECONDS:
        raise WebhookError("The delivery is older than five minutes, or the clocks differ by more.")
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{timestamp}.{given.get('x-service-delivery-id', '')}.".encode() + content
    expected = "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    checks = [
        hmac.compare_digest(expected.encode(), given.get(name, "").encode())
        for name in ("x-service-signature", "x-service-signature-previous")
    ]
    if not any(checks):
        raise WebhookError("The signature of the delivery is wrong.")
    return cast("WebhookEvent", json.loads(content))
