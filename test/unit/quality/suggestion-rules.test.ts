import { describe, expect, it } from 'vitest';
import { profileTable } from '../../../shared/data/profiles/profile-table.ts';
import { check } from '../../../shared/data/quality/evaluate.ts';
import type { QualityTest } from '../../../shared/data/quality/tests.ts';
import { regexOfPattern } from '../../../shared/domains/quality/suggestions/pattern-regex.ts';
import { referenceCandidates } from '../../../shared/domains/quality/suggestions/reference-candidates.ts';
import { type SuggestionInput, suggestTests } from '../../../shared/domains/quality/suggestions/rules.ts';
import { openTestEngine } from '../data/engine/open-test-engine.ts';

const profileOf = async (select: string) => {
  const { engine } = await openTestEngine();
  await engine.run(`CREATE TABLE profiled AS ${select}`);
  return profileTable(engine, 'profiled');
};

/** The tests that two scans of a table suggest, without what people read. */
async function suggested(select: string, before = select, context: Partial<SuggestionInput> = {}) {
  const [profile, previous] = [await profileOf(select), await profileOf(before)];
  return suggestTests({ profile, previous, ...context }).map(({ testType, columnName, config }) => ({
    testType,
    columnName,
    config,
  }));
}

const found = (testType: string, columnName: string, config: object) => ({ testType, columnName, config });
const rows = (columns: string, count = 2000) => `SELECT ${columns} FROM range(${count}) t(i)`;

describe('what a profile suggests', () => {
  it('is not_null for columns without nulls in two scans of at least a thousand rows', async () => {
    const whole = rows('i % 7 AS n');
    const holed = rows('CASE WHEN i = 5 THEN NULL ELSE i % 7 END AS n');
    const of = async (select: string, before: string) =>
      (await suggested(select, before)).filter(({ testType }) => testType === 'not_null');
    expect(await of(whole, whole)).toEqual([found('not_null', 'n', {})]);
    expect(await of(whole, holed)).toEqual([]);
    expect(await of(holed, whole)).toEqual([]);
    expect(await of(rows('i % 7 AS n', 999), whole)).toEqual([]);
    expect(suggestTests({ profile: await profileOf(whole) }).map(({ testType }) => testType)).not.toContain('not_null');
  });

  it('is unique for what can be a key, and not for measurements', async () => {
    const all = await suggested(rows("i AS id, 'A-' || i AS code, i * 1.5::DOUBLE AS weight, i // 2 AS pair"));
    expect(all.filter(({ testType }) => testType === 'unique')).toEqual([
      found('unique', 'id', {}),
      found('unique', 'code', {}),
    ]);
  });

  it('is allowed_values for the same few values in two scans', async () => {
    const colours = (names: string, count?: number) => rows(`[${names}][1 + i % 3] AS colour`, count);
    const of = async (select: string, before = select) =>
      (await suggested(select, before)).filter(({ testType }) => testType === 'allowed_values');
    const rgb = colours("'red', 'green', 'blue'");
    expect(await of(rgb)).toEqual([found('allowed_values', 'colour', { values: ['blue', 'green', 'red'] })]);
    expect(await of(rgb, colours("'red', 'green', 'pink'"))).toEqual([]);
    expect(await of(colours("'red', 'green', 'blue'", 30))).toEqual([]);
    expect(await of(rows('i % 21 AS n'))).toEqual([]);
    expect(await of(rows("'same' AS constant"))).toEqual([]);
    expect(await of(rows('i % 2 = 0 AS flag'))).toEqual([]);
    expect(await of(rows('(1 + i % 5)::INTEGER AS stars'))).toEqual([
      found('allowed_values', 'stars', { values: [1, 2, 3, 4, 5] }),
    ]);
  });

  it('is a range a tenth wider than that of the values, which stays on one side of zero', async () => {
    const of = async (select: string, before = select) =>
      (await suggested(select, before)).filter(({ testType }) => testType === 'value_range');
    expect(await of(rows('(i % 101)::INTEGER AS n'))).toEqual([found('value_range', 'n', { min: 0, max: 110 })]);
    expect(await of(rows('((i % 101) / 100 - 0.5)::DECIMAL(9,2) AS n'))).toEqual([
      found('value_range', 'n', { min: -0.6, max: 0.6 }),
    ]);
    expect(await of(rows('i AS id'))).toEqual([]);
    expect(await of(rows('i % 101 AS n'), rows('i % 1001 AS n'))).toEqual([]);
    expect(await of(rows('i % 25 + 0.5::DOUBLE AS n'))).toHaveLength(1);
    expect(await of(rows('(i % 25) * 1e300 AS n'))).toEqual([]);
  });

  it('is the kind of the texts, with a limit if some differ', async () => {
    const of = async (select: string) =>
      (await suggested(select)).filter(({ testType }) => ['email', 'phone', 'regex'].includes(testType));
    expect(await of(rows("'u' || i || '@example.com' AS mail"))).toEqual([found('email', 'mail', {})]);
    expect(await of(rows("CASE i % 200 WHEN 0 THEN 'no mail' ELSE 'u' || i || '@example.com' END AS mail"))).toEqual([
      found('email', 'mail', { mostly: 0.99 }),
    ]);
    expect(await of(rows("CASE i % 50 WHEN 0 THEN 'no mail' ELSE 'u' || i || '@example.com' END AS mail"))).toEqual([]);
    expect(await of(rows("'+49 30 ' || (1000000 + i) AS phone"))).toEqual([found('phone', 'phone', {})]);
    expect(await of(rows("'AB-' || (i % 500) AS code"))).toEqual([
      found('regex', 'code', { pattern: '^\\p{Lu}+-\\p{Nd}+$' }),
    ]);
    expect(await of(rows("['Ann', 'Bob', 'Cid'][1 + i % 3] || chr((97 + i % 26)::INTEGER) AS name"))).toEqual([]);
    const [uuid] = await of(rows('uuid()::VARCHAR AS ref'));
    expect(uuid).toMatchObject({ testType: 'regex', config: { pattern: expect.stringContaining('{8}') } });
  });

  it('is freshness where the newest date follows the loads', async () => {
    const context = { cadence: { loadedAt: '2026-03-10T02:00:00Z', everyMs: 86_400_000 } };
    const select = rows(`DATE '2026-03-09' - (i % 400)::INTEGER AS day, DATE '2020-01-01' + (i % 9)::INTEGER AS born`);
    const of = async (given: object) =>
      (await suggested(select, select, given)).filter((each) => each.columnName === null);
    expect(await of(context)).toEqual([
      { testType: 'row_count', columnName: null, config: { min: 1, where: '"day" >= current_date - INTERVAL 5 DAY' } },
    ]);
    expect(await of({})).toEqual([]);
    const { engine } = await openTestEngine();
    await engine.run(
      'CREATE TABLE numbered AS SELECT current_date - 9 * i::INTEGER AS day, i AS nr FROM range(10) t(i)',
    );
    await engine.run('CREATE VIEW input AS SELECT day FROM numbered');
    const test = {
      type: 'row_count',
      config: { min: 1, where: '"day" >= current_date - INTERVAL 5 DAY' },
    } as QualityTest;
    const bindText = (sql: string) => ({ sql, params: [] });
    const checked = { columns: [{ name: 'day', type: 'date' }], rowNumber: 'nr', references: new Map(), bindText };
    expect(await check(engine, test, { ...checked, now: new Date() })).toMatchObject({ evaluatedRows: 1 });
    expect(await of({ cadence: { loadedAt: '2026-05-10T02:00:00Z', everyMs: 86_400_000 } })).toEqual([]);
  });

  it('comes with the most certain first, and at most one rule about the values of a column', async () => {
    const select = rows("i AS id, 'u' || i || '@example.com' AS mail, (i % 101)::INTEGER AS n");
    const [profile, previous] = [await profileOf(select), await profileOf(select)];
    const all = suggestTests({ profile, previous });
    expect(all.map(({ confidence }) => confidence)).toEqual(
      all.map(({ confidence }) => confidence).sort((a, b) => b - a),
    );
    expect(
      all
        .filter(({ columnName }) => columnName === 'mail')
        .map(({ testType }) => testType)
        .sort(),
    ).toEqual(['email', 'not_null', 'unique']);
  });
});

describe('shapes of texts as regular expressions', () => {
  it.each([
    ['AB-12', 'A-9', true],
    ['Straße 7', 'Aa 9', true],
    ['(12) [x]', '(9) [a]', true],
    ['AB-', 'A-9', false],
    ['xAB-12', 'A-9', false],
  ])('%s against %s', (text, pattern, matches) => {
    expect(new RegExp(regexOfPattern(pattern)!, 'u').test(text)).toBe(matches);
  });

  it('are none for words, and for shapes that were cut', () => {
    for (const pattern of ['Aa', 'a a', 'A', 'A-9…']) expect(regexOfPattern(pattern)).toBeUndefined();
  });
});

describe('columns that refer to datasets', () => {
  const column = (name: string, type = 'integer') => ({ name, type });
  const datasets = [
    { name: 'customers', columns: [column('id'), column('name', 'string')] },
    { name: 'countries', columns: [column('country_code', 'string')] },
  ];

  it('are found by their names and types', () => {
    const columns = [column('customer_id'), column('country_code', 'string'), column('customerId', 'string')];
    expect(referenceCandidates(columns, datasets)).toEqual([
      { columnName: 'customer_id', refTable: 'customers', refColumn: 'id' },
      { columnName: 'country_code', refTable: 'countries', refColumn: 'country_code' },
    ]);
    expect(referenceCandidates([column('id'), column('order_id'), column('customers')], datasets)).toEqual([]);
  });
});
