"""Writes expectations.jsonl: what tests of data quality find in random tables, computed with pandas.

An implementation of its own, from docs/data-quality.md. To write the file again, with Python 3.11 or later:

    pip install pandas==3.1.1
    python test/unit/quality/pandas/expectations.py
"""

import datetime as dt
import decimal
import json
import math
import pathlib
import random
import re
import unicodedata
import zoneinfo

import pandas as pd

NOW = dt.datetime(2026, 3, 10, 12, 0, tzinfo=dt.timezone.utc)
RANDOM = random.Random(20260310)

WORDS = ["red", "Red", "blue", "blÜe", "straße", "STRASSE", "", " ", "x y", "Ünit-7", "unit 7", "日本", "a_b"]
EMAILS = [
    "ann@example.com", "bob.smith+tag@mail.example.org", "no-at.example.com", "two@@example.com", "ann@example",
    "jörg@müller.de", "@example.com", "a@b.co", "ann@-example.com", "ann@exam ple.com", " ann@example.com", "x" * 64 + "@a.de", "x" * 65 + "@a.de", f"a@{'b' * 63}.de", f"a@{'b' * 64}.de", "a@b." + "c" * 64, "ä" * 64 + "@ö.de",
    "o'hara@example.ie", "ann@example.c", "用户@例子.公司",
]
PHONES = ["+49 30 1234567", "030/1234567", "123456", "1234567", "(030) 1234567", "+1-202-555-0101", "1" * 16, "12345678x", "+", "0049.30.123456"]


def pick(values, nulls=0.15):
    return None if RANDOM.random() < nulls else RANDOM.choice(values)


def make_table(rows):
    day = dt.date(2026, 3, 10)
    return {
        "id": ("integer", list(range(rows))),
        "n": ("integer", [pick(range(-20, 21)) for _ in range(rows)]),
        "x": ("double", [pick([-1.5, -0.0, 0.0, 0.1, 0.3, 2.5, 1e300, math.nan, math.inf, -math.inf]) for _ in range(rows)]),
        "price": ("decimal(12,2)", [pick([decimal.Decimal(c) / 100 for c in (-1, 0, 1, 10, 999, 1000, 1001, 99999)]) for _ in range(rows)]),
        "word": ("string", [pick(WORDS) for _ in range(rows)]),
        "mail": ("string", [pick(EMAILS) for _ in range(rows)]),
        "phone": ("string", [pick(PHONES) for _ in range(rows)]),
        "flag": ("boolean", [pick([True, False]) for _ in range(rows)]),
        "day": ("date", [pick([day + dt.timedelta(days=d) for d in range(-40, 4)]) for _ in range(rows)]),
        "at": ("timestamp", [pick([dt.datetime(2026, 3, 10) + dt.timedelta(minutes=m) for m in range(-3000, 3000, 37)]) for _ in range(rows)]),
        "gone": ("string", [None] * rows),
    }


# Conditions as SQL and as what it means for a row; a comparison with null does not hold.
WHERE = {
    "n > 0": lambda r: r["n"] is not None and r["n"] > 0,
    "flag": lambda r: r["flag"] is True,
    "word IS NULL OR n < 5": lambda r: r["word"] is None or (r["n"] is not None and r["n"] < 5),
    "id < 0": lambda r: False,
}
QUERIES = {
    "SELECT * FROM input WHERE n < -10": lambda f: sum(1 for v in f["n"] if v is not None and v < -10),
    "SELECT word, count(*) FROM input GROUP BY word HAVING count(*) > 3": lambda f: int((f["word"].map(repr).value_counts() > 3).sum()),
    "SELECT day FROM input WHERE day IS NOT NULL AND n IS NULL": lambda f: int((f["day"].map(filled) & ~f["n"].map(filled)).sum()),
}
REFERENCE = [None, -3, 0, 1, 2, 3, 5, 8, 13]


def filled(value):
    return value is not None


def is_email(text):
    part = r"[^\W_]"
    local = rf"(?:{part}|[.!#$%&'*+/=?^_`{{|}}~-]){{1,64}}"
    label = rf"{part}(?:(?:{part}|-){{0,61}}{part})?"
    return len(text) <= 254 and re.fullmatch(rf"{local}@(?:{label}\.)+(?:{part}|-){{2,63}}", text) is not None


def is_phone(text):
    digits = sum(c in "0123456789" for c in text)
    return re.fullmatch(r"\+?[0-9][0-9 ()./-]*", text) is not None and 7 <= digits <= 15


def plain(text):
    without = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return "".join(c for c in without.lower() if c.isalnum())


def bound(text, is_end):
    """The first moment of a bound and, for an upper one, the first after it; and whether that moment is included."""
    relative = re.fullmatch(r"([+-]\d+)d", text)
    if relative:
        start = dt.datetime(2026, 3, 10) + dt.timedelta(days=int(relative[1]))
    elif len(text) == 10:
        start = dt.datetime.fromisoformat(text)
    else:
        return dt.datetime.fromisoformat(text.removesuffix("Z")), True
    return (start + dt.timedelta(days=1), False) if is_end else (start, True)


def moment(value):
    return value if isinstance(value, dt.datetime) else dt.datetime(value.year, value.month, value.day)


def number_fails(value, config):
    low, high, inclusive = config.get("min"), config.get("max"), config.get("inclusive", True)
    if isinstance(value, float) and math.isnan(value):
        return True
    exact = value if isinstance(value, float) else decimal.Decimal(value)
    edge = (lambda e: e) if isinstance(value, float) else (lambda e: decimal.Decimal(str(e)))
    below = low is not None and (exact < edge(low) if inclusive else exact <= edge(low))
    above = high is not None and (exact > edge(high) if inclusive else exact >= edge(high))
    return below or above


def date_fails(value, config):
    at = moment(value)
    if "min" in config and at < bound(config["min"], False)[0]:
        return True
    if "max" not in config:
        return False
    end, included = bound(config["max"], True)
    return at > end if included else at >= end


def future_fails(value, config):
    zone = zoneinfo.ZoneInfo(config.get("timezone", "UTC"))
    limit = (NOW + dt.timedelta(minutes=config.get("toleranceMinutes", 0))).astimezone(zone).replace(tzinfo=None)
    if not isinstance(value, dt.datetime):
        limit = dt.datetime(limit.year, limit.month, limit.day)
    return moment(value) > limit


def value_test(kind, config):
    """Whether a value fails; null is not tested unless the result for None is a boolean."""
    if kind == "not_null":
        return lambda v: v is None
    if kind in ("email", "phone"):
        good = is_email if kind == "email" else is_phone
        if config.get("allowNull", True):
            return lambda v: None if v is None else not good(v)
        return lambda v: v is None or not good(v)
    if kind == "foreign_key":
        if config.get("ignoreNulls", True):
            return lambda v: None if v is None else v not in REFERENCE
        return lambda v: v is None or v not in REFERENCE
    tests = {
        "value_range": lambda v: number_fails(v, config),
        "no_negative": lambda v: (isinstance(v, float) and math.isnan(v)) or (v < 0 if config.get("allowZero", True) else v <= 0),
        "regex": lambda v: (re.search(config["pattern"], v) is not None) == (config.get("mode") == "not_match"),
        "allowed_values": lambda v: not allowed(v, config),
        "date_range": lambda v: date_fails(v, config),
        "no_future_date": lambda v: future_fails(v, config),
    }
    return lambda v: None if v is None else tests[kind](v)


def allowed(value, config):
    values = config["values"]
    if isinstance(value, str) and not config.get("caseSensitive", True):
        return value.lower() in [each.lower() for each in values]
    if isinstance(value, decimal.Decimal):
        return value in [decimal.Decimal(str(each)) for each in values]
    return any(each == value and isinstance(each, bool) == isinstance(value, bool) for each in values)


def keyed(series):
    """Equal keys have equal texts; NaN equals NaN, zero has one sign, and null differs from every text."""
    return series.map(lambda v: "null" if v is None else repr(v + 0.0 if isinstance(v, float) else v))


def counts(frame, case):
    kind, config, column = case["type"], case["config"], case.get("column")
    if kind == "custom_sql":
        return len(frame), QUERIES[config["sql"]](frame)
    if "where" in config:
        keep = [WHERE[config["where"]](row) for row in frame.to_dict("records")]
        frame = frame[pd.Series(keep, index=frame.index, dtype=bool)]
    if kind == "row_count":
        return len(frame), None
    if kind == "unique":
        keys = config.get("columns", [column])
        if config.get("ignoreNulls", True):
            frame = frame[frame[keys].map(filled).all(axis=1)]
        return len(frame), int(frame[keys].apply(keyed).duplicated(keep=False).sum())
    if kind == "duplicate_detection":
        part = frame[config["keys"]].copy()
        if config.get("fuzzy") == "normalized":
            for name in config["keys"]:
                part[name] = part[name].map(lambda v: plain(v) if isinstance(v, str) else v)
        return len(frame), int(part.apply(keyed).duplicated(keep="first").sum())
    results = frame[column].map(value_test(kind, config)).tolist()
    tested = [each for each in results if each is not None]
    return len(tested), sum(1 for each in tested if each)


def status(case, evaluated, failed):
    kind, config = case["type"], case["config"]
    if kind == "row_count":
        return "failed" if evaluated < config.get("min", 0) or evaluated > config.get("max", math.inf) else "passed"
    if evaluated == 0:
        return {"skip": "skipped", "pass": "passed", "fail": "failed"}[config.get("onEmpty", "skip")]
    share = failed / evaluated
    if "mostly" in config:
        is_failing = (evaluated - failed) / evaluated < config["mostly"]
    elif "maxNullPct" in config:
        is_failing = 100 * failed / evaluated > config["maxNullPct"]
    elif "maxFailing" in config:
        is_failing = failed > config["maxFailing"]
    elif "failAt" in config:
        is_failing = failed > 0 and 100 * share >= config["failAt"]
    else:
        is_failing = failed > 0 and "warnAt" not in config
    if is_failing:
        return "failed"
    return "warned" if "warnAt" in config and failed > 0 and 100 * share >= config["warnAt"] else "passed"


def case(kind, column=None, **config):
    return {"type": kind, **({} if column is None else {"column": column}), "config": config}


CASES = [
    *[case("not_null", name) for name in ("id", "n", "x", "word", "flag", "day", "gone")],
    case("not_null", "n", maxNullPct=20), case("not_null", "n", maxNullPct=1), case("not_null", "word", where="n > 0"),
    case("not_null", "gone", where="id < 0"), case("not_null", "gone", where="id < 0", onEmpty="fail"),
    *[case("unique", name) for name in ("id", "n", "x", "price", "word", "day", "at", "gone", "flag")],
    case("unique", "n", ignoreNulls=False), case("unique", "gone", ignoreNulls=False), case("unique", "x", ignoreNulls=False),
    case("unique", columns=["n", "flag"]), case("unique", columns=["n", "word", "day"], ignoreNulls=False),
    case("unique", "n", where="n > 0", mostly=0.1),
    case("value_range", "n", min=-5, max=5), case("value_range", "n", min=-20, max=20), case("value_range", "n", min=-20, inclusive=False),
    case("value_range", "x", min=0.1, max=0.3), case("value_range", "x", min=0.1, max=0.3, inclusive=False), case("value_range", "x", max=1e15),
    case("value_range", "price", min=0.01, max=10), case("value_range", "price", max=9.99, inclusive=False),
    case("value_range", "price", min=0, warnAt=5), case("value_range", "price", min=0, warnAt=1, failAt=50), case("value_range", "n", max=15, failAt=30),
    case("row_count", min=1), case("row_count", max=10), case("row_count", min=5, max=1000, where="n > 0"), case("row_count", min=1, where="id < 0"),
    case("email", "mail"), case("email", "mail", allowNull=False), case("email", "mail", mostly=0.3), case("email", "word"), case("email", "gone"),
    case("email", "gone", allowNull=False), case("email", "mail", where="flag"),
    case("phone", "phone"), case("phone", "phone", allowNull=False), case("phone", "mail"), case("phone", "phone", mostly=0.4), case("phone", "phone", where="n > 0"),
    case("regex", "word", pattern="^[a-z]+$"), case("regex", "word", pattern="^[a-z]+$", mode="not_match"), case("regex", "mail", pattern="@"),
    case("regex", "mail", pattern=r"\.(com|org)$"), case("regex", "word", pattern="."), case("regex", "word", pattern="^$", mode="not_match"),
    case("regex", "phone", pattern=r"^\+?[0-9]+$", warnAt=10, failAt=95), case("regex", "gone", pattern="x"), case("regex", "word", pattern="(?i)^red$"),
    case("allowed_values", "word", values=["red", "blue"]), case("allowed_values", "word", values=["red", "blue"], caseSensitive=False),
    case("allowed_values", "word", values=["BLÜE", "straße", ""], caseSensitive=False), case("allowed_values", "n", values=list(range(-20, 0))),
    case("allowed_values", "flag", values=[True]), case("allowed_values", "x", values=[0, 0.1, 2.5]), case("allowed_values", "price", values=[0.01, 10, 9.99]),
    case("allowed_values", "n", values=[1], where="id < 0", onEmpty="pass"), case("allowed_values", "word", values=WORDS),
    case("date_range", "day", min="2026-02-15"), case("date_range", "day", max="2026-03-01"), case("date_range", "day", min="-30d", max="+0d"),
    case("date_range", "day", min="-7d"), case("date_range", "at", min="2026-03-10"), case("date_range", "at", max="2026-03-10"),
    case("date_range", "at", min="2026-03-09T06:30:00Z", max="2026-03-10T18:00:00Z"), case("date_range", "at", max="+1d", mostly=0.9),
    case("date_range", "day", min="-1d", where="flag"), case("date_range", "at", max="-1d"),
    case("no_future_date", "day"), case("no_future_date", "at"), case("no_future_date", "at", toleranceMinutes=600),
    case("no_future_date", "at", timezone="America/New_York"), case("no_future_date", "at", timezone="Asia/Tokyo", toleranceMinutes=30),
    case("no_future_date", "day", timezone="Pacific/Auckland"), case("no_future_date", "at", where="n > 0", failAt=10),
    case("no_negative", "n"), case("no_negative", "n", allowZero=False), case("no_negative", "x"), case("no_negative", "x", allowZero=False),
    case("no_negative", "price"), case("no_negative", "price", allowZero=False), case("no_negative", "n", mostly=0.5),
    case("foreign_key", "n", refTable="numbers", refColumn="k"), case("foreign_key", "n", refTable="numbers", refColumn="k", ignoreNulls=False),
    case("foreign_key", "id", refTable="numbers", refColumn="k"), case("foreign_key", "n", refTable="numbers", refColumn="k", where="n > 0", mostly=0.3),
    *[case("duplicate_detection", keys=[name]) for name in ("id", "n", "x", "word", "day", "gone")],
    case("duplicate_detection", keys=["word"], fuzzy="normalized"), case("duplicate_detection", keys=["n", "flag"]),
    case("duplicate_detection", keys=["word", "n"], fuzzy="normalized"), case("duplicate_detection", keys=["flag"], where="n > 0"),
    *[case("custom_sql", sql=sql) for sql in QUERIES], case("custom_sql", sql=next(iter(QUERIES)), maxFailing=1000),
    case("custom_sql", sql=next(iter(QUERIES)), failAt=1),
]


def text(value):
    if value is None or isinstance(value, str):
        return value
    return str(value).lower() if isinstance(value, (bool, float)) else str(value)


def main():
    tables = []
    for rows in (0, 400):
        columns = make_table(rows)
        frame = pd.DataFrame({name: pd.Series(values, dtype=object) for name, (_, values) in columns.items()})
        expected = []
        for each in CASES:
            evaluated, failed = counts(frame, each)
            expected.append([status(each, evaluated, failed), evaluated, failed])
        types = {name: kind for name, (kind, _) in columns.items()}
        tables.append({"columns": types, "rows": [[text(v) for v in row] for row in zip(*(v for _, v in columns.values()))], "expected": expected})
    lines = [{"now": NOW.isoformat().replace("+00:00", "Z"), "numbers": REFERENCE, "cases": CASES}, *tables]
    target = pathlib.Path(__file__).with_name("expectations.jsonl")
    compact = [json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines]
    target.write_text("\n".join(compact) + "\n", encoding="utf-8")
    print(f"{len(CASES)} cases on {len(tables)} tables")


main()
