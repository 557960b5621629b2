"""Creates saved queries with a client whose replies get lost, and prints how often each request was sent."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any, List

from analytics_client import Analytics, AsyncAnalytics, Try


def body(client: str, index: int) -> Any:
    return {"name": f"{client} {index}", "sql": "SELECT 1 AS n"}


def main(given: Any) -> List[int]:
    tries: List[Try] = []
    with Analytics(given["url"], api_key=given["token"], on_try=tries.append) as api:
        for index in range(given["count"]):
            api.saved_queries.create(body("sync", index))

    async def later() -> None:
        async with AsyncAnalytics(given["url"], api_key=given["token"], on_try=tries.append) as api:
            await asyncio.gather(*[api.saved_queries.create(body("async", index)) for index in range(given["count"])])

    asyncio.run(later())
    return [made.attempt for made in tries]


print(json.dumps(main(json.load(sys.stdin))))
