"""Loads a file and reads its rows with either client, and prints what it has seen."""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
from typing import Any, Dict, List

import analytics_client
from analytics_client import errors, rows

UNKNOWN = "01a22997-4f10-7cf9-9400-18c2f8d14ff7"
STEPS = [
    {"id": "read", "type": "extract", "config": {"sourceId": "", "object": {"path": "orders.csv"}}},
    {
        "id": "keep",
        "type": "load",
        "dependsOn": ["read"],
        "config": {"target": {"kind": "dataset", "name": "orders"}, "mode": "overwrite"},
    },
]


async def done(value: Any) -> Any:
    """What a call of either client returns."""
    return await value if inspect.isawaitable(value) else value


async def every(iterator: Any) -> List[Any]:
    return [item async for item in iterator] if hasattr(iterator, "__aiter__") else list(iterator)


async def main(given: Any) -> Dict[str, Any]:
    def client(token: str) -> Any:
        return getattr(analytics_client, given["client"])(given["url"], api_key=token)

    api, viewer, stranger, wrong = map(client, (given["token"], given["viewer"], given["stranger"], "wrong"))
    failures: List[str] = []

    async def fails(call: Any, *args: Any, **options: Any) -> None:
        try:
            await done(call(*args, **options))
            failures.append("nothing")
        except errors.ApiError as error:
            failures.append(type(error).__name__)

    source = await done(api.data_sources.create({"name": "Files", "type": "file"}))
    STEPS[0]["config"]["sourceId"] = source["id"]  # type: ignore[index]
    sent: List[int] = []
    content = b"id,amount\n1,2.5\n2,4\n"
    await done(api.uploads.file(source["id"], "orders.csv", content, on_progress=lambda now: sent.append(now.sent_bytes)))
    dag = {"version": 1, "steps": STEPS}
    pipeline = await done(api.pipelines.create({"name": "Orders", "dag": dag}))
    run = await done(api.pipelines.start(pipeline["id"], {}, idempotency_key="first"))
    again = await done(api.pipelines.start(pipeline["id"], {}, idempotency_key="first"))
    events = await every(api.runs.events(run["id"]))
    table = await done(api.query.run({"sql": "SELECT id, amount FROM orders ORDER BY id"}))
    csv = await done(api.query.run({"sql": "SELECT id FROM orders ORDER BY id"}, accept="text/csv"))
    datasets = [item["name"] for item in await every(api.datasets.list(limit=1))]

    replies: List[Any] = []
    saved = await done(api.saved_queries.create({"name": "All", "sql": "SELECT 1 AS n"}, on_reply=replies.append))
    await done(api.saved_queries.update(saved["id"], {"name": "Every"}, if_match=saved["revision"]))
    hook = {"name": "Hook", "url": "https://hooks.example.com/", "kind": "generic", "events": [], "generateSecret": True}
    secret = (await done(api.webhooks.create(hook)))["secret"]
    await fails(api.saved_queries.update, saved["id"], {"name": "Each"}, if_match=saved["revision"])
    await fails(api.datasets.get, UNKNOWN)
    await fails(api.pipelines.create, {"name": "Orders", "dag": dag})
    await fails(api.query.run, {"sql": "SELEC"})
    await fails(viewer.data_sources.create, {"name": "Mine", "type": "file"})
    await fails(wrong.themes.create, {"name": "Dark"})
    await fails(stranger.pipelines.get, pipeline["id"])
    for one in (api, viewer, stranger, wrong):
        await done(one.close())
    return {
        "sent": sent,
        "end": events[-1]["data"],
        "rows": list(rows.objects(table)),
        "csv": csv.text,
        "datasets": datasets,
        "isTagged": replies[0].headers["etag"] == f'"{saved["revision"]}"',
        "startedTwice": again["id"] != run["id"],
        "secret": secret[:6],
        "errors": failures,
    }


print(json.dumps(asyncio.run(main(json.load(sys.stdin)))))
