from __future__ import annotations

import asyncio
import hashlib
import hmac
import io
import json
import pickle
import subprocess
import sys
import tempfile
import tracemalloc
import unittest
from pathlib import Path
from typing import Any, Callable, List, Tuple
from urllib.parse import parse_qs, urlsplit

from analytics_client import Analytics, AsyncAnalytics, Try, codes, errors, rows, webhooks
from scripted_server import (
    Answer,
    ScriptedServer,
    Seen,
    cut_off,
    hang_up,
    problem,
    raw,
    reply,
    stream,
)

ID = "01a22997-4f10-7cf9-9400-18c2f8d14ff7"
HTML = raw(502, b"<html><body>Bad gateway</body></html>", content_type="text/html", retry_after="0")


def asked(answers: List[Answer], work: Callable[[Analytics], Any], **options: Any) -> Tuple[List[Seen], Any]:
    """What the server was asked, and what the work returned or failed with."""
    with ScriptedServer(*answers) as server, Analytics(server.url, api_key="secret-key", **options) as api:
        try:
            return server.seen, work(api)
        except Exception as error:
            return server.seen, error


class ARequest(unittest.TestCase):
    def test_has_the_path_the_query_the_body_and_the_credential(self) -> None:
        body = {"name": "Orders", "source": {"kind": "datasets", "sql": "SELECT 'ü' AS n"}}
        seen, value = asked([reply(201, {"id": ID, "later": 1})], lambda api: api.datasets.create(body))
        self.assertEqual(value, {"id": ID, "later": 1})
        self.assertEqual((seen[0].method, seen[0].path), ("POST", "/datasets"))
        self.assertEqual(seen[0].headers["authorization"], "Bearer secret-key")
        self.assertEqual(json.loads(seen[0].body), body)
        seen, _ = asked([reply(200, {"items": [], "total": 0})], lambda api: api.pipelines.list(limit=5).page())
        self.assertEqual(seen[0].path, "/pipelines?limit=5")
        seen, _ = asked([reply(200, {"items": []})], lambda api: list(api.audit_log.list(from_="2026-01-01T00:00:00Z")))
        self.assertEqual(seen[0].path, "/audit-log?from=2026-01-01T00%3A00%3A00Z")
        seen, _ = asked([reply(200, {})], lambda api: api.definitions.deploy("models", "k", {}, dry_run=True))
        self.assertIn("dryRun=true", seen[0].path)

    def test_never_leaves_its_place_by_a_value_in_its_path(self) -> None:
        seen, _ = asked(
            [reply(200, {})],
            lambda api: [api.secrets.get(name) for name in ("../workspaces", "a/b?c#d", "ключ")],
        )
        self.assertEqual(
            [request.path for request in seen],
            ["/secrets/..%2Fworkspaces", "/secrets/a%2Fb%3Fc%23d", "/secrets/%D0%BA%D0%BB%D1%8E%D1%87"],
        )
        for name, message in (("", "name is missing."), ("..", 'name must not be "..".')):
            seen, error = asked([reply(200, {})], lambda api: api.secrets.get(name))
            self.assertEqual((seen, str(error)), ([], message))

    def test_asks_for_a_token_each_time(self) -> None:
        given = iter(["t1", "t2"])
        seen, _ = asked([reply(200, {})], lambda api: [api.auth.me(), api.auth.me()], token=lambda: next(given))
        self.assertEqual([request.headers["authorization"] for request in seen], ["Bearer t1", "Bearer t2"])

    def test_carries_the_revision_that_was_read_and_shows_the_reply(self) -> None:
        replies: List[Any] = []
        seen, _ = asked(
            [reply(200, {"id": ID, "revision": 8}, etag='"8"')],
            lambda api: api.models.update(ID, {"name": "Sales"}, if_match=7, on_reply=replies.append),
        )
        self.assertEqual(seen[0].headers["if-match"], '"7"')
        self.assertEqual(replies[0].headers["etag"], '"8"')

    def test_is_not_sent_with_an_option_that_it_does_not_have(self) -> None:
        seen, error = asked([reply(200, {})], lambda api: api.datasets.get(ID, limits=1))
        self.assertIsInstance(error, TypeError)
        self.assertEqual(seen, [])

    def test_is_not_sent_with_numbers_that_json_does_not_have(self) -> None:
        seen, error = asked([reply(200, {})], lambda api: api.query.run({"sql": "SELECT 1", "params": [float("nan")]}))
        self.assertIsInstance(error, ValueError)
        self.assertEqual(seen, [])


class AFailure(unittest.TestCase):
    def test_is_of_the_class_of_its_status_and_of_its_code(self) -> None:
        for status, code, of_status in (
            (400, "VALIDATION_FAILED", errors.ValidationError),
            (401, "UNAUTHENTICATED", errors.Unauthenticated),
            (403, "FORBIDDEN", errors.Forbidden),
            (404, "DATASET_NOT_FOUND", errors.NotFound),
            (409, "RUN_OVERLAP", errors.Conflict),
            (412, "PRECONDITION_FAILED", errors.PreconditionFailed),
            (429, "RATE_LIMITED", errors.RateLimited),
            (500, "INTERNAL", errors.ServerError),
        ):
            _, error = asked([problem(status, code)], lambda api: api.datasets.get(ID), retries=0)
            self.assertIsInstance(error, of_status)
            self.assertEqual((error.code, error.request_id), (code, "r1"))
        _, error = asked([problem(404, "DATASET_NOT_FOUND")], lambda api: api.datasets.get(ID))
        self.assertIsInstance(error, codes.DatasetNotFound)
        _, later = asked([problem(409, "LATER_CODE")], lambda api: api.datasets.get(ID))
        self.assertIs(type(later), errors.Conflict)
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))

    def test_names_every_issue(self) -> None:
        issues = [{"pointer": "/name", "code": "TYPE", "message": "is missing"}]
        answer = reply(400, {"code": "VALIDATION_FAILED", "detail": "No.", "requestId": "r2", "errors": issues})
        _, error = asked([answer], lambda api: api.datasets.get(ID))
        self.assertEqual(str(error), "400 VALIDATION_FAILED: No.\n/name is missing\n(request r2)")

    def test_of_a_proxy_has_the_beginning_of_its_page(self) -> None:
        seen, error = asked([HTML], lambda api: api.datasets.get(ID))
        self.assertIsInstance(error, errors.ServerError)
        self.assertEqual((error.code, len(seen)), ("UNKNOWN", 3))
        self.assertIn("Bad gateway", str(error))
        for body in (b"[]", b"null", b'{"code":1,"errors":"x"}', b"\xff\xfe", b""):
            _, error = asked([raw(404, body)], lambda api: api.datasets.get(ID))
            self.assertIs(type(error), errors.NotFound)

    def test_of_a_page_where_json_was_promised_is_no_reply(self) -> None:
        seen, error = asked([raw(200, b"<html>")], lambda api: api.datasets.get(ID), retries=1)
        self.assertIsInstance(error, errors.ConnectionFailed)
        self.assertIsInstance(error, ConnectionError)
        self.assertEqual(len(seen), 2)


class ARetry(unittest.TestCase):
    def test_follows_what_may_pass(self) -> None:
        for answer in (HTML, cut_off, hang_up, problem(503, "UNAVAILABLE", retry_after="0"), raw(408, b"")):
            seen, value = asked([answer, reply(200, {"id": ID})], lambda api: api.datasets.get(ID))
            self.assertEqual((value, len(seen)), ({"id": ID}, 2))

    def test_has_the_same_key_so_that_nothing_is_created_twice(self) -> None:
        seen, _ = asked([hang_up, cut_off, reply(201, {"id": ID})], lambda api: api.pipelines.start(ID, {}))
        keys = [request.headers["idempotency-key"] for request in seen]
        self.assertEqual((len(keys), len(set(keys))), (3, 1))
        seen, _ = asked([reply(201, {})], lambda api: [api.pipelines.start(ID, {}) for _ in range(2)])
        self.assertEqual(len({request.headers["idempotency-key"] for request in seen}), 2)
        seen, _ = asked([reply(201, {})], lambda api: api.pipelines.start(ID, {}, idempotency_key="nightly"))
        self.assertEqual(seen[0].headers["idempotency-key"], "nightly")

    def test_does_not_follow_a_call_whose_reply_shows_a_secret_once(self) -> None:
        hook = {"name": "Hook", "url": "https://hooks.example.com/", "kind": "generic", "events": ["*"]}
        for work in (
            lambda api: api.webhooks.create({**hook, "generateSecret": True}),
            lambda api: api.pipelines.start(ID, {}, idempotency_key=False),
        ):
            seen, error = asked([hang_up, reply(201, {"id": ID})], work)
            self.assertIsInstance(error, errors.ConnectionFailed)
            self.assertEqual([request.headers.get("idempotency-key") for request in seen], [None])
        seen, _ = asked([hang_up, reply(201, {"id": ID})], lambda api: api.webhooks.create({**hook, "generateSecret": False}))
        self.assertEqual((len(seen), len({request.headers["idempotency-key"] for request in seen})), (2, 1))

    def test_does_not_follow_what_could_happen_twice(self) -> None:
        for work in (
            lambda api: api.query.run({"sql": "SELECT 1"}),
            lambda api: api.models.update(ID, {"name": "Sales"}, if_match=7),
        ):
            for answer in (hang_up, problem(503, "UNAVAILABLE", retry_after="0")):
                seen, error = asked([answer, reply(200, {})], work)
                self.assertIsInstance(error, errors.AnalyticsError)
                self.assertEqual(len(seen), 1)
        seen, _ = asked([problem(500, "INTERNAL"), reply(200, {})], lambda api: api.datasets.get(ID))
        self.assertEqual(len(seen), 1)

    def test_waits_as_long_as_the_server_wants_and_not_at_all_for_what_it_wants_after_a_minute(self) -> None:
        busy = problem(429, "RATE_LIMITED", retry_after="0")
        seen, value = asked([busy, reply(200, {"valid": True})], lambda api: api.query.validate({"sql": "SELECT 1"}))
        self.assertEqual(value, {"valid": True})
        for header in ("61", "Fri, 31 Dec 9999 23:59:59 GMT"):
            late = problem(429, "RATE_LIMITED", retry_after=header)
            seen, error = asked([late], lambda api: api.datasets.get(ID))
            self.assertIsInstance(error, errors.RateLimited)
            self.assertEqual(len(seen), 1)

    def test_stops_after_the_wanted_number_in_a_storm_too(self) -> None:
        storm = [problem(429, "RATE_LIMITED", retry_after="0")]
        self.assertEqual(len(asked(storm, lambda api: api.datasets.get(ID), retries=4)[0]), 5)
        self.assertEqual(len(asked(storm, lambda api: api.datasets.get(ID, retries=0))[0]), 1)

    def test_finds_deleted_what_the_first_try_has_deleted(self) -> None:
        gone = problem(404, "DATASET_NOT_FOUND")
        self.assertIsNone(asked([hang_up, gone], lambda api: api.datasets.delete(ID))[1])
        self.assertIsInstance(asked([gone], lambda api: api.datasets.delete(ID))[1], errors.NotFound)

    def test_is_reported_without_anything_secret(self) -> None:
        tries: List[Try] = []
        asked(
            [problem(503, "UNAVAILABLE", retry_after="0"), hang_up, reply(200, {}, x_request_id="r9")],
            lambda api: api.datasets.get(ID),
            on_try=tries.append,
        )
        self.assertEqual([(made.attempt, made.status) for made in tries], [(1, 503), (2, None), (3, 200)])
        self.assertEqual((tries[2].request_id, tries[2].path), ("r9", f"/datasets/{ID}"))
        self.assertNotIn("secret-key", repr(tries))


class ATimeLimit(unittest.TestCase):
    def test_ends_a_call_without_a_reply(self) -> None:
        _, error = asked([lambda handler, seen: None], lambda api: api.datasets.get(ID, timeout=0.05))
        self.assertIsInstance(error, errors.TimedOut)
        self.assertIsInstance(error, TimeoutError)
        self.assertEqual(str(error), f"GET /datasets/{ID} took longer than 0.05 seconds.")

    def test_ends_a_reply_that_drips(self) -> None:
        def drip(handler: Any, seen: Seen) -> None:
            handler.send_response(200)
            handler.send_header("content-length", "1000000")
            handler.end_headers()
            try:
                for _ in range(1_000_000):
                    handler.wfile.write(b" ")
                    handler.wfile.flush()
            except OSError:
                pass

        # Each byte comes in time; the whole does not.
        _, error = asked([drip], lambda api: api.datasets.get(ID, timeout=0.05))
        self.assertIsInstance(error, errors.AnalyticsError)

    def test_leaves_the_error_when_no_other_try_would_end_in_time(self) -> None:
        busy = problem(503, "UNAVAILABLE", retry_after="30")
        seen, error = asked([busy], lambda api: api.datasets.get(ID, timeout=5))
        self.assertEqual((error.status, len(seen)), (503, 1))


TOTAL = 10_000


def pages(handler: Any, seen: Seen) -> None:
    """Pages of numbered records, by offset or by a cursor that is the number of the next record."""
    query = {name: values[0] for name, values in parse_qs(urlsplit(seen.path).query).items()}
    start, limit = int(query.get("cursor") or query.get("offset") or 0), int(query.get("limit") or 50)
    end = min(start + limit, TOTAL)
    items = [{"id": str(index), "text": "x" * 1000} for index in range(start, end)]
    cursor = str(end) if end < TOTAL else None
    reply(200, {"items": items, "total": TOTAL, "nextCursor": cursor})(handler, seen)


class AList(unittest.TestCase):
    def test_is_read_page_by_page_in_constant_memory(self) -> None:
        for resource in ("webhooks", "datasets"):
            with ScriptedServer(pages) as server, Analytics(server.url) as api:
                tracemalloc.start()
                for count, item in enumerate(getattr(api, resource).list(limit=100), 1):
                    self.assertEqual(item["id"], str(count - 1))
                    self.assertEqual(len(server.seen), -(-count // 100))
                # All pages together have ten million characters.
                peak = tracemalloc.get_traced_memory()[1]
                tracemalloc.stop()
                self.assertEqual(count, TOTAL)
                self.assertLess(peak, 4_000_000)

    def test_asks_for_no_page_that_is_not_wanted(self) -> None:
        seen, _ = asked([pages], lambda api: [next(iter(api.webhooks.list(limit=10))) for _ in range(2)])
        self.assertEqual(len(seen), 2)
        seen, page = asked([pages], lambda api: api.webhooks.list(limit=10).page())
        self.assertEqual((page["total"], len(page["items"]), len(seen)), (TOTAL, 10, 1))

    def test_without_a_cursor_ends_with_what_to_do_where_its_offsets_end(self) -> None:
        def many(handler: Any, seen: Seen) -> None:
            reply(200, {"items": [{"id": 1}] * 5000, "total": 20_000})(handler, seen)

        _, error = asked([many], lambda api: list(api.webhooks.list()))
        self.assertIn("can be read up to record 10000. Narrow it down with a filter.", str(error))

    def test_that_fails_later_fails_there(self) -> None:
        read: List[Any] = []

        def work(api: Analytics) -> None:
            for item in api.webhooks.list(limit=10):
                read.append(item)

        _, error = asked([pages, problem(403, "FORBIDDEN")], work)
        self.assertEqual((error.code, len(read)), ("FORBIDDEN", 10))


def frame(number: int, event: str, data: Any) -> str:
    return f"id: {number}\nevent: {event}\ndata: {json.dumps(data)}\n\n"


def status(number: int) -> str:
    return frame(number, "run.status", {"runId": ID, "status": "running", "attempt": 1, "at": "now"})


RUN = [
    stream([status(1)[:20], status(1)[20:], status(2)[:30], ""]),
    hang_up,
    stream([": comment\n\n", frame(3, "heartbeat", {}), frame(3, "reconnect", {})]),
    stream([status(4), 'event: end\ndata: {"status":"succeeded"}\n\n']),
]
RUN_SEEN = (["1 run.status", "4 run.status", "4 end"], [None, "1", "1", "3"])


class TheEventsOfARun(unittest.TestCase):
    def test_go_on_after_the_last_one_when_a_connection_is_lost_and_end_with_the_run(self) -> None:
        seen, found = asked(RUN, lambda api: [f"{event['id']} {event['event']}" for event in api.runs.events(ID)])
        self.assertEqual((found, [request.headers.get("last-event-id") for request in seen]), RUN_SEEN)

    def test_are_refused_like_any_other_request(self) -> None:
        seen, error = asked([problem(404, "RUN_NOT_FOUND")], lambda api: list(api.runs.events(ID)))
        self.assertIsInstance(error, codes.RunNotFound)
        self.assertEqual(len(seen), 1)

    def test_end_the_request_when_no_more_are_wanted(self) -> None:
        closed: List[bool] = []

        def endless(handler: Any, seen: Seen) -> None:
            handler.send_response(200)
            handler.end_headers()
            handler.wfile.write(status(1).encode())
            closed.append(handler.rfile.read(1) == b"")

        def work(api: Analytics) -> Any:
            events = api.runs.events(ID)
            first = next(events)
            events.close()  # type: ignore[attr-defined]
            return first

        with ScriptedServer(endless) as server:
            with Analytics(server.url) as api:
                self.assertEqual(work(api)["data"]["status"], "running")

    def test_lines_come_as_they_arrive(self) -> None:
        answer = stream(['{"card', '":"a"}\n{"card":"b"}\n\n{"ca', 'rd":"ü"}'], "application/x-ndjson")
        _, lines = asked([answer], lambda api: list(api.dashboards.stream_cards(ID, {})))
        self.assertEqual(lines, [{"card": "a"}, {"card": "b"}, {"card": "ü"}])


class TheAsynchronousClient(unittest.IsolatedAsyncioTestCase):
    async def test_does_what_the_other_does(self) -> None:
        answers = [HTML, cut_off, reply(201, {"id": ID}, etag='"1"')]
        with ScriptedServer(*answers) as server:
            async with AsyncAnalytics(server.url, api_key="k") as api:
                self.assertEqual(await api.pipelines.start(ID, {}), {"id": ID})
            self.assertEqual(len({request.headers["idempotency-key"] for request in server.seen}), 1)
        with ScriptedServer(problem(404, "DATASET_NOT_FOUND")) as server:
            async with AsyncAnalytics(server.url) as api:
                with self.assertRaises(codes.DatasetNotFound):
                    await api.datasets.get(ID)

    async def test_asks_for_tokens_that_are_awaited(self) -> None:
        async def token() -> str:
            await asyncio.sleep(0)
            return "t1"

        with ScriptedServer(reply(200, {})) as server:
            async with AsyncAnalytics(server.url, token=token) as api:
                await api.auth.me()
            self.assertEqual(server.seen[0].headers["authorization"], "Bearer t1")

    async def test_iterates_over_lists(self) -> None:
        with ScriptedServer(pages) as server:
            async with AsyncAnalytics(server.url) as api:
                self.assertEqual((await api.webhooks.list(limit=10))["total"], TOTAL)
                found = [item["id"] async for item in api.datasets.list(limit=1000)]
            self.assertEqual((len(found), len(server.seen)), (TOTAL, 11))

    async def test_follows_the_events_of_a_run(self) -> None:
        with ScriptedServer(*RUN) as server:
            async with AsyncAnalytics(server.url) as api:
                found = [f"{event['id']} {event['event']}" async for event in api.runs.events(ID)]
            self.assertEqual((found, [request.headers.get("last-event-id") for request in server.seen]), RUN_SEEN)

    async def test_ends_a_call_without_a_reply(self) -> None:
        with ScriptedServer(lambda handler, seen: None) as server:
            async with AsyncAnalytics(server.url, timeout=0.05) as api:
                with self.assertRaises(errors.TimedOut):
                    await api.datasets.get(ID)

    async def test_uploads_parts(self) -> None:
        storage = Storage(size=10, part_size=4)
        with ScriptedServer(storage.answer) as server:
            storage.url = server.url
            async with AsyncAnalytics(server.url) as api:
                sent: List[int] = []
                await api.uploads.file(ID, "a.csv", b"0123456789", on_progress=lambda now: sent.append(now.sent_bytes))
        self.assertEqual((storage.content, sent[-1], storage.ended), (b"0123456789", 10, ["complete"]))


class Storage:
    """An upload in parts; the first try of its second part fails."""

    def __init__(self, size: int, part_size: int, refuses: bool = False) -> None:
        self.url = ""
        self.ended: List[str] = []
        self._sizes = [min(part_size, size - start) for start in range(0, size, part_size)]
        self._parts = {}
        self._failed = False
        self._refuses = refuses

    @property
    def content(self) -> bytes:
        return b"".join(self._parts[number] for number in sorted(self._parts))

    def answer(self, handler: Any, seen: Seen) -> None:
        path = urlsplit(seen.path).path
        if seen.method == "PUT":
            return self._put(int(path.rsplit("/", 1)[1]), handler, seen)
        if path.endswith("/uploads"):
            parts = [
                {"partNumber": index + 1, "url": f"{self.url}/parts/{index + 1}", "size": size}
                for index, size in enumerate(self._sizes)
            ]
            return reply(201, {"kind": "parts", "uploadId": "u1", "parts": parts})(handler, seen)
        if seen.method == "DELETE":
            self.ended.append("abort")
            return raw(204, b"")(handler, seen)
        tags = [(part["partNumber"], part["etag"]) for part in json.loads(seen.body)["parts"]]
        assert tags == [(number + 1, f'"{number + 1}"') for number in range(len(self._sizes))]
        self.ended.append("complete")
        reply(200, {})(handler, seen)

    def _put(self, number: int, handler: Any, seen: Seen) -> None:
        assert "authorization" not in seen.headers and "transfer-encoding" not in seen.headers
        if self._refuses:
            return raw(403, b"expired")(handler, seen)
        if number == 2 and not self._failed:
            self._failed = True
            return raw(503, b"")(handler, seen)
        self._parts[number] = seen.body
        raw(200, b"", etag=f'"{number}"')(handler, seen)


class AnUpload(unittest.TestCase):
    def test_of_a_large_file_has_parts_each_tried_again_by_itself(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "orders.csv"
            path.write_bytes(bytes(range(256)) * 10_000)
            for content in (path, path.read_bytes(), io.BytesIO(path.read_bytes())):
                storage = Storage(size=2_560_000, part_size=1_000_000)
                sent: List[int] = []
                with ScriptedServer(storage.answer) as server, Analytics(server.url, api_key="k") as api:
                    storage.url = server.url
                    api.uploads.file(ID, "a.csv", content, on_progress=lambda now: sent.append(now.sent_bytes))
                self.assertEqual((storage.content, storage.ended), (path.read_bytes(), ["complete"]))
                self.assertEqual((sent[-1], len(sent)), (2_560_000, 3))

    def test_that_is_refused_is_abandoned(self) -> None:
        storage = Storage(size=10, part_size=4, refuses=True)
        with ScriptedServer(storage.answer) as server, Analytics(server.url) as api:
            storage.url = server.url
            with self.assertRaisesRegex(errors.AnalyticsError, "answered with 403: expired"):
                api.uploads.file(ID, "a.csv", b"0123456789")
        self.assertEqual(storage.ended, ["abort"])

    def test_takes_no_text_which_could_be_a_path_or_content(self) -> None:
        _, error = asked([reply(200, {})], lambda api: api.uploads.file(ID, "a.csv", "a.csv"))
        self.assertIsInstance(error, TypeError)


class AnAnswer(unittest.TestCase):
    TABLE = {"columns": [{"name": "id"}, {"name": "amount"}], "rows": [[1, 2.5], [2, None]]}

    def test_has_its_rows_as_objects(self) -> None:
        self.assertEqual(list(rows.objects(self.TABLE)), [{"id": 1, "amount": 2.5}, {"id": 2, "amount": None}])

    def test_comes_in_another_content_type_as_it_is(self) -> None:
        seen, value = asked(
            [raw(200, b"n\r\n1\r\n", content_type="text/csv; charset=utf-8")],
            lambda api: api.query.run({"sql": "SELECT 1 AS n"}, accept="text/csv"),
        )
        self.assertEqual((seen[0].headers["accept"], value.text, value.content_type), ("text/csv", "n\r\n1\r\n", "text/csv"))
        with self.assertRaises(TypeError):
            rows.to_arrow(value)

    def test_is_an_arrow_table_and_a_data_frame(self) -> None:
        try:
            import pandas  # noqa: F401
            import pyarrow
        except ImportError as error:
            self.skipTest(str(error))
        table = pyarrow.table({"id": [1, 2]})
        sink = io.BytesIO()
        with pyarrow.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        _, value = asked(
            [raw(200, sink.getvalue(), content_type=rows.ARROW)],
            lambda api: api.query.run({"sql": "SELECT 1"}, accept=rows.ARROW),
        )
        self.assertEqual(rows.to_arrow(value), table)
        self.assertEqual(rows.to_pandas(value)["id"].tolist(), [1, 2])
        self.assertEqual(rows.to_pandas(self.TABLE)["amount"].tolist()[0], 2.5)


class ADelivery(unittest.TestCase):
    # The example of the guide.
    SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    BODY = '{"event":"webhook.test"}'
    HEADERS = {
        "X-Service-Delivery-Id": "01a1fdb3-4c1f-8a57-9c1e-2f6d1f0f7c11",
        "X-Service-Timestamp": "1700000000",
        "X-Service-Signature": "sha256=4c5f9297a96f9bae2e4b9bbde6d6145d3d79580cbfd6ef8c8fca808aae051718",
    }
    NOW = 1_700_000_100

    def test_is_accepted_with_the_right_signature(self) -> None:
        for body in (self.BODY, self.BODY.encode()):
            self.assertEqual(webhooks.verify(self.SECRET, self.HEADERS, body, now=self.NOW), {"event": "webhook.test"})

    def test_is_accepted_by_a_receiver_that_still_has_the_previous_secret(self) -> None:
        signed = f"1700000000.{self.HEADERS['X-Service-Delivery-Id']}.{self.BODY}".encode()
        previous = "sha256=" + hmac.new(b"old", signed, hashlib.sha256).hexdigest()
        headers = {**self.HEADERS, "x-service-signature-previous": previous}
        self.assertEqual(webhooks.verify("old", headers, self.BODY, now=self.NOW), {"event": "webhook.test"})

    def test_is_refused_otherwise(self) -> None:
        signature = self.HEADERS["X-Service-Signature"]
        for secret, changed, body in (
            ("whsec_other", {}, self.BODY),
            (self.SECRET, {}, self.BODY + " "),
            (self.SECRET, {"X-Service-Delivery-Id": "x"}, self.BODY),
            (self.SECRET, {"X-Service-Signature": ""}, self.BODY),
            (self.SECRET, {"X-Service-Signature": signature[:39]}, self.BODY),
            (self.SECRET, {"X-Service-Signature": "ü"}, self.BODY),
            (self.SECRET, {"X-Service-Timestamp": ""}, self.BODY),
            (self.SECRET, {"X-Service-Timestamp": "1700000001"}, self.BODY),
            (self.SECRET, {"X-Service-Timestamp": "١٧٠٠٠٠٠٠٠٠"}, self.BODY),
        ):
            with self.assertRaises(webhooks.WebhookError):
                webhooks.verify(secret, {**self.HEADERS, **changed}, body, now=self.NOW)
        with self.assertRaisesRegex(webhooks.WebhookError, "older than five minutes"):
            webhooks.verify(self.SECRET, self.HEADERS, self.BODY, now=1_700_000_301)


class ThePackage(unittest.TestCase):
    def test_imports_only_what_is_used(self) -> None:
        program = "import sys, analytics_client; print([m for m in sys.modules if m.startswith('analytics_client.')])"
        made = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        loaded = made.stdout
        for module in ("generated.types", "generated.codes", "generated.datasets", "uploads"):
            self.assertNotIn(f"'analytics_client.{module}'", loaded)


if __name__ == "__main__":
    unittest.main()
