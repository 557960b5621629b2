import { describe, expect, it } from 'vitest';
import { isVolatile } from '../../../../shared/domains/semantics/queries/canonical-sql.ts';

describe('an answer that depends on the clock or on chance', () => {
  it.each([
    ['SELECT now()', []],
    ['SELECT "current_date"', []],
    ['SELECT * FROM t USING SAMPLE 2 ROWS', []],
    [`SELECT 'now'::timestamp`, []],
    [`SELECT ' Today 10:30'::timestamp`, []],
    [`SELECT E'tomorrow'::date`, []],
    ['SELECT $$yesterday$$::date', []],
    ['SELECT $1::timestamp', ['now']],
    ['SELECT $1::date', [{ type: 'timestamp', text: 'today' }]],
    ['SELECT $since::date', { since: ' YESTERDAY ' }],
    ['SELECT clock_timestamp()', []],
    ['SELECT pg_catalog."clock_timestamp" /* then */ ()', []],
    ['SELECT timeofday(), 1', []],
    ['SELECT Random() < 0.5', []],
    ['SELECT gen_random_uuid()', []],
    ["SELECT nextval('numbers')", []],
    ["SELECT getvariable('day')", []],
    ['SELECT SYSDATE(6)', []],
  ])('is not cached: %s %j', (sql, params) => {
    expect(isVolatile({ sql, params: params as string[] })).toBe(true);
  });

  it.each([
    [`SELECT 'know how', 'now we know', snow FROM t`, []],
    ['SELECT 1 -- now()', []],
    ['SELECT random, CAST(uuid AS uuid), (1) FROM t', []],
    ["SELECT 'random' (1)", []],
    ['SELECT $1::date', ['2026-01-31']],
    ['SELECT $a', { a: null, b: 3, c: true, now: 'x' }],
  ])('is not seen where there is none: %s %j', (sql, params) => {
    expect(isVolatile({ sql, params: params as string[] })).toBe(false);
  });
});
