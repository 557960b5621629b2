import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, openEngine } from '../../../shared/data/duckdb/engine.ts';
import { configIssues } from '../../../shared/data/quality/config-issues.ts';
import { check, type Evaluation, type NotEvaluated } from '../../../shared/data/quality/evaluate.ts';
import type { QualityTest } from '../../../shared/data/quality/tests.ts';
import { bindTemplates } from '../../../shared/data/sql/templates.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quality-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NOW = new Date('2026-03-10T12:00:00Z');

/** Evaluators one column `v`, or the rows of a statement. */
async function checked(rows: string, test: object): Promise<Evaluation | NotEvaluated> {
  const engine = await openEngine({ memoryLimitMb: 200, threads: 1, tempDir: folder });
  try {
    return await checkedBy(engine, /^SELECT/.test(rows) ? rows : `SELECT unnest(${rows}) AS v`, test as QualityTest);
  } finally {
    await engine.close();
  }
}

async function checkedBy(engine: Engine, rows: string, test: QualityTest) {
  await engine.run(`CREATE TABLE input AS ${rows}`);
  await engine.run('CREATE TABLE keys AS SELECT unnest([1, 2, NULL]) AS key');
  const columns = await engine.describe('SELECT * FROM input');
  await engine.lock();
  await engine.run('CREATE VIEW numbered AS SELECT *, row_number() OVER () AS nr FROM input');
  return check(engine, test, {
    columns,
    rowNumber: 'nr',
    now: NOW,
    previousRows: () => 10,
    references: new Map([['known keys', 'keys']]),
    bindText: (text, first) => bindTemplates(text, { params: { low: 2 } }, first),
  });
}

const column = (type: string, config: object = {}) => ({ type, column: 'v', config });

describe('a test of quality', () => {
  it.each<[string, string, object, [number, number]]>([
    ['not_null takes nulls alone, not empty texts and NaN', "['a', '', NULL]", column('not_null'), [3, 1]],
    ['not_null takes no NaN', "['NaN'::DOUBLE, NULL]", column('not_null'), [2, 1]],
    ['unique passes over nulls', "['a', 'a', 'ä', NULL, NULL]", column('unique'), [3, 2]],
    ['unique counts nulls if configured', '[1, NULL, NULL]', column('unique', { ignoreNulls: false }), [3, 2]],
    [
      'unique takes columns together',
      'SELECT * FROM (VALUES (1, 1), (1, 2), (1, 2)) t(a, b)',
      { type: 'unique', config: { columns: ['a', 'b'] } },
      [3, 2],
    ],
    ['value_range has its ends', '[1, 2, 3, NULL]', column('value_range', { min: 2, max: 3 }), [3, 1]],
    ['value_range without its ends', '[1, 2, 3]', column('value_range', { min: 1, max: 3, inclusive: false }), [3, 2]],
    ['value_range takes NaN', "['NaN'::DOUBLE, 1, 'inf'::DOUBLE]", column('value_range', { min: 0 }), [3, 1]],
    ['value_range is exact for decimals', '[0.1::DECIMAL(20,18)]', column('value_range', { max: 0.1 }), [1, 0]],
    ['value_range is exact beyond 2^53', '[9007199254740993]', column('value_range', { max: 900719925474099 }), [1, 1]],
    [
      'email knows letters of any script',
      "['a@b.de', 'jörg@müller.de', '', 'a@b', 'a b@c.de']",
      column('email'),
      [5, 3],
    ],
    ['email counts nulls if configured', "['a@b.de', NULL]", column('email', { allowNull: false }), [2, 1]],
    ['phone counts digits', "['+49 (30) 123-456', '12345', '', 'call me', NULL]", column('phone'), [4, 3]],
    ['regex finds', "['a1', 'é', '', NULL]", column('regex', { pattern: '^\\p{L}' }), [3, 1]],
    ['regex finds not', "['a1', 'b']", column('regex', { pattern: '\\d', mode: 'not_match' }), [2, 1]],
    ['allowed_values of texts', "['A', 'b', '', NULL]", column('allowed_values', { values: ['a', 'b'] }), [3, 2]],
    [
      'allowed_values without case',
      "['A', 'É', 'c']",
      column('allowed_values', { values: ['a', 'é'], caseSensitive: false }),
      [3, 1],
    ],
    ['allowed_values of numbers', '[1.5, 2, 3]', column('allowed_values', { values: [1.5, 2] }), [3, 1]],
    [
      'date_range has its ends as whole days',
      "['2026-01-31 23:59:59'::TIMESTAMP, '2026-02-01 00:00:00', NULL]",
      column('date_range', { max: '2026-01-31' }),
      [2, 1],
    ],
    [
      'date_range counts days from today',
      "['2026-02-08'::DATE, '2026-02-07']",
      column('date_range', { min: '-30d' }),
      [2, 1],
    ],
    ['no_future_date of days', "['2026-03-10'::DATE, '2026-03-11', NULL]", column('no_future_date'), [2, 1]],
    [
      'no_future_date by the clock of a zone',
      "['2026-03-10 13:00:00'::TIMESTAMP, '2026-03-10 13:00:01']",
      column('no_future_date', { timezone: 'Europe/Berlin' }),
      [2, 1],
    ],
    [
      'no_future_date with patience',
      "['2026-03-10 12:05:00+00'::TIMESTAMPTZ, '2026-03-10 12:05:01+00']",
      column('no_future_date', { toleranceMinutes: 5 }),
      [2, 1],
    ],
    ['no_negative takes NaN', "[-1, 0, 'NaN'::DOUBLE, NULL]", column('no_negative'), [3, 2]],
    ['no_negative without zero', '[0, 1]', column('no_negative', { allowZero: false }), [2, 1]],
    [
      'foreign_key passes over nulls on both sides',
      '[1, 3, NULL]',
      column('foreign_key', { refTable: 'known keys', refColumn: 'key' }),
      [2, 1],
    ],
    [
      'foreign_key counts nulls if configured',
      '[1, 3, NULL]',
      column('foreign_key', { refTable: 'known keys', refColumn: 'key', ignoreNulls: false }),
      [3, 2],
    ],
    [
      'duplicate_detection leaves the first',
      "['a', 'a', 'A', NULL, NULL]",
      { type: 'duplicate_detection', config: { keys: ['v'] } },
      [5, 2],
    ],
    [
      'duplicate_detection overlooks case, accents and marks',
      "['José M.', 'jose m', 'Anna']",
      { type: 'duplicate_detection', config: { keys: ['v'], fuzzy: 'normalized' } },
      [3, 1],
    ],
    [
      'custom_sql counts what it answers',
      '[1, 2, 3]',
      { type: 'custom_sql', config: { sql: 'SELECT * FROM input WHERE v > {{ params.low }} -- big' } },
      [3, 1],
    ],
    ['where chooses the rows', '[-1, -2, -3]', column('no_negative', { where: 'v > -{{ params.low }}' }), [1, 1]],
  ])('%s', async (_title, rows, test, [evaluatedRows, failedRows]) => {
    expect(await checked(rows, test)).toMatchObject({ evaluatedRows, failedRows });
  });

  it.each<[object, string | undefined]>([
    [{ min: 3 }, undefined],
    [{ min: 4 }, '3 rows are fewer than 4.'],
    [{ max: 2 }, '3 rows are more than 2.'],
    [{ comparePrevious: { maxDropPct: 70 } }, undefined],
    [{ comparePrevious: { maxDropPct: 69 } }, '3 rows are 70.0% fewer than the 10 before.'],
  ])('row_count counts: %o', async (config, issue) => {
    const evaluation = await checked('[1, 2, NULL]', { type: 'row_count', config });
    expect((evaluation as Evaluation).issue).toBe(issue);
  });

  it.each<[string, object, string]>([
    ['a column that is not there', { type: 'not_null', column: 'w', config: {} }, 'There is no column w.'],
    ['a type that does not serve', column('email'), 'The column v is of type integer, which email cannot check.'],
    ['values of another type', column('allowed_values', { values: ['a'] }), 'cannot have the value "a"'],
    ['a pattern that is none', { ...column('regex', { pattern: '(' }), rows: "['a']" }, 'missing )'],
    ['a file', { type: 'custom_sql', config: { sql: "SELECT * FROM read_text('/etc/passwd')" } }, 'read_text'],
    ['another table', { type: 'custom_sql', config: { sql: 'SELECT * FROM keys' } }, 'keys'],
    [
      'a condition that closes the brackets',
      column('not_null', { where: 'true) OR (true' }),
      'not a single expression',
    ],
  ])('that asks for %s cannot be run, and says so', async (_title, { rows, ...test }: { rows?: string }, message) => {
    expect(await checked(rows ?? '[1]', test)).toEqual({ error: expect.stringContaining(message) });
  });

  it.each(['(a+)+$', '^(a|a)*$', '^(a|aa)+$', '(.*a){20}$', '^([a-z]*)*!$'])(
    'with the pattern %s, over which backtracking explodes, reads a long text in linear time',
    async (pattern) => {
      const rows = `['${'a'.repeat(20_000)}?', 'aaa']`;
      expect(await checked(rows, column('regex', { pattern }))).toMatchObject({ evaluatedRows: 2 });
    },
    10_000,
  );

  it('cannot have a pattern that RE2 would have to expand, or does not support', async () => {
    const expanding = column('regex', { pattern: '((a{100}){100}){100}' });
    expect(await checked("['a']", expanding)).toEqual({ error: expect.stringContaining('invalid repetition size') });
    const issues = (pattern: string) => configIssues(column('regex', { pattern }) as QualityTest, '/config');
    for (const pattern of ['(a+)+(?=b)', '(?<!a)b', '(a*)*\\1']) {
      expect(issues(pattern), pattern).toMatchObject([{ pointer: '/config/pattern', code: 'PATTERN' }]);
    }
    expect(issues('(a+)+$')).toEqual([]);
  });

  it('keeps some of the failing rows, with names and values that would break unquoted SQL', async () => {
    const name = `a"b'c`;
    const rows = `SELECT unnest(['x; DROP TABLE input', 'é', 'ok']) AS ${JSON.stringify(name).replace('\\"', '""')}`;
    const test = { type: 'allowed_values', column: name, config: { values: ['ok', "'"], sampleLimit: 1 } };
    expect(await checked(rows, test)).toMatchObject({
      failedRows: 2,
      sample: { columns: [name], rows: [['x; DROP TABLE input']] },
    });
  });
});
