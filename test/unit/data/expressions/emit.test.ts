import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteIdentifier } from '../../../../shared/data/duckdb/quoting.ts';
import {
  aggregatesOf,
  analyze,
  type EmitOptions,
  emit,
  emitOrder,
  type Purpose,
  readsOf,
  type Scope,
  type Typed,
} from '../../../../shared/data/expressions/index.ts';
import { columnOf, SCOPE } from './scope-of-data.ts';

const NOW = new Date('2026-02-28T23:30:00Z');
/** How DuckDB reads the clock of UTC for each instant of a column. */
const AT_IN_UTC = `COALESCE(make_timestamp(epoch_us("t"."at")), ("t"."at" AT TIME ZONE 'UTC'))`;

function treeOf(text: string, purpose: Purpose = 'measure', scope = SCOPE): Typed {
  const { valid, diagnostics } = analyze(text, scope, { purpose });
  if (!valid) throw new Error(JSON.stringify(diagnostics));
  return valid.tree;
}

const emitted = (
  text: string,
  dialect: 'duckdb' | 'postgres',
  options: Partial<EmitOptions> = {},
  purpose: Purpose = 'measure',
) => emit(treeOf(text, purpose), { dialect, columnOf, now: NOW, ...options });

function sqlOf(
  text: string,
  dialect: 'duckdb' | 'postgres',
  purpose: Purpose = 'measure',
  options: Partial<EmitOptions> = {},
): string {
  const emission = emitted(text, dialect, options, purpose);
  if (emission.kind !== 'sql') throw new Error(JSON.stringify(emission));
  return emission.sql;
}

describe('SQL', () => {
  it.each([
    ['SUM([price] * [qty])', 'sum("t"."price" * "t"."qty")', 'sum("t"."price" * "t"."qty")'],
    [
      'SUM([price]) / COUNT(*)',
      'sum("t"."price") / NULLIF(count(*), 0)',
      'CAST(sum("t"."price") AS double precision) / NULLIF(count(*), 0)',
    ],
    [
      'SUM([qty]) FILTER (WHERE [region] = "it\'s")',
      `sum("t"."qty") FILTER (WHERE "t"."region" = 'it''s')`,
      `sum("t"."qty") FILTER (WHERE "t"."region" = 'it''s')`,
    ],
    ['MAX([region])', 'max("t"."region")', 'max("t"."region" COLLATE "C")'],
    [
      'MEDIAN([price])',
      'quantile_cont(CAST("t"."price" AS DOUBLE), 0.5)',
      'percentile_cont(0.5) WITHIN GROUP (ORDER BY CAST("t"."price" AS double precision))',
    ],
    ['SUM([qty]) - (SUM([qty]) - 1)', 'sum("t"."qty") - (sum("t"."qty") - 1)', 'sum("t"."qty") - (sum("t"."qty") - 1)'],
    [
      'COUNT_IF([paid] AND ([qty] > 1 OR [qty] < -5))',
      'count(*) FILTER (WHERE "t"."paid" AND ("t"."qty" > 1 OR "t"."qty" < -5))',
      'count(*) FILTER (WHERE "t"."paid" AND ("t"."qty" > 1 OR "t"."qty" < -5))',
    ],
    [
      '{Revenue} / 100',
      'sum("t"."price" * "t"."qty") / 100',
      'CAST(sum("t"."price" * "t"."qty") AS double precision) / 100',
    ],
    [
      'MAX(DATE_TRUNC("month", [at]))',
      `max(COALESCE(CAST(${AT_IN_UTC} AS date) - CAST(day(CAST(${AT_IN_UTC} AS date)) - 1 AS integer), CAST(${AT_IN_UTC} AS date)))`,
      `max(CAST(date_trunc('month', ("t"."at" AT TIME ZONE 'UTC')) AS date))`,
    ],
    [
      'MAX(DATE_TRUNC("month", [day]))',
      `max(COALESCE(CAST("t"."day" AS date) - CAST(day(CAST("t"."day" AS date)) - 1 AS integer), CAST("t"."day" AS date)))`,
      `max(CAST(date_trunc('month', CAST("t"."day" AS timestamp)) AS date))`,
    ],
    [
      'MAX(DATE_TRUNC("year", DATE_TRUNC("quarter", [day])))',
      `max(CAST(date_trunc('year', CAST(CAST(date_trunc('quarter', CAST("t"."day" AS date)) AS date) AS timestamp)) AS date))`,
      `max(CAST(date_trunc('year', CAST(CAST(date_trunc('quarter', CAST("t"."day" AS timestamp)) AS date) AS timestamp)) AS date))`,
    ],
    [
      'MAX(DATE_TRUNC("month", [seen]))',
      `max(COALESCE(CAST("t"."seen" AS date) - CAST(day(CAST("t"."seen" AS date)) - 1 AS integer), CAST("t"."seen" AS date)))`,
      `max(CAST(date_trunc('month', "t"."seen") AS date))`,
    ],
    [
      `COUNT_IF([seen] >= DATETIME '2026-01-31 22:30' AND [seen] < [at])`,
      `count(*) FILTER (WHERE "t"."seen" >= TIMESTAMP '2026-01-31 22:30:00' AND "t"."seen" < ${AT_IN_UTC})`,
      `count(*) FILTER (WHERE "t"."seen" >= TIMESTAMP '2026-01-31 22:30:00' AND "t"."seen" < ("t"."at" AT TIME ZONE 'UTC'))`,
    ],
    [
      `COUNT_IF([seen] BETWEEN DATE '2026-01-31' AND NOW())`,
      `count(*) FILTER (WHERE "t"."seen" BETWEEN CAST(DATE '2026-01-31' AS timestamp) AND (TIMESTAMPTZ '2026-02-28 23:30:00.000+00' AT TIME ZONE 'UTC'))`,
      `count(*) FILTER (WHERE "t"."seen" BETWEEN CAST(DATE '2026-01-31' AS timestamp) AND (TIMESTAMPTZ '2026-02-28 23:30:00.000+00' AT TIME ZONE 'UTC'))`,
    ],
  ])('of %s is readable and always the same', (text, duckdb, postgres) => {
    expect([sqlOf(text, 'duckdb'), sqlOf(text, 'postgres')]).toEqual([duckdb, postgres]);
  });

  it('orders texts by code points, with nulls last', () => {
    const order = emitOrder(treeOf('[region]', 'row'), 'desc', { dialect: 'postgres', columnOf, now: NOW });
    expect(order).toMatchObject({ sql: '"t"."region" COLLATE "C" DESC NULLS LAST' });
  });

  it('can take parts of the tree from elsewhere', () => {
    const tree = treeOf('DIVIDE({Revenue}, COUNT([id]), 0) + 1');
    const aggregates = aggregatesOf(tree);
    const replaced = new Map(aggregates.map((call, index) => [call as Typed, { table: 'leg', column: `a${index}` }]));
    expect(aggregates.map(({ name }) => name)).toEqual(['COUNT', 'SUM']);
    expect(emit(tree, { dialect: 'duckdb', columnOf, now: NOW, replaced })).toMatchObject({
      sql: 'COALESCE("leg"."a1" / NULLIF("leg"."a0", 0), CAST(0 AS DOUBLE)) + 1',
    });
    expect(readsOf(tree)).toEqual({ fields: ['field-id', 'field-price', 'field-qty'], tables: ['table'] });
  });

  it('asks for a plan where a result depends on other rows', () => {
    const emission = emitted(
      'SUM([qty]) - PRIOR(SUM([qty]), "month") + TOTAL(AVG([price])) + TOTAL(COUNT(*))',
      'duckdb',
    );
    expect(emission).toMatchObject({ kind: 'needsPlan', calls: [{ name: 'PRIOR' }, { name: 'TOTAL' }] });
    if (emission.kind !== 'needsPlan') return;
    const replaced = new Map(emission.calls.map((call, index) => [call as Typed, { column: `planned ${index}` }]));
    const tree = treeOf('CUMULATIVE({Revenue}, "year") / 2');
    expect(emit(tree, { dialect: 'duckdb', columnOf, now: NOW, replaced })).toMatchObject({ kind: 'needsPlan' });
    const planned = new Map([[tree.kind === 'arithmetic' ? tree.first : tree, { column: 'running' }]]);
    expect(emit(tree, { dialect: 'duckdb', columnOf, now: NOW, replaced: planned })).toMatchObject({
      sql: '"running" / 2',
    });
  });

  it('ends with a diagnostic where it would be longer than 1 MB', () => {
    let text = '[score]';
    for (let depth = 0; depth < 30; depth += 1) text = `SQRT(ROUND(${text}, 2))`;
    expect(emitted(text, 'postgres', {}, 'row')).toMatchObject({ kind: 'rejected', diagnostic: { code: 6001 } });
  });
});

describe('policies', () => {
  const principal = {
    id: 'u1',
    email: "o'neil@example.com",
    role: 'viewer',
    groups: ['g1', "g'2"],
    attributes: {
      region: ['Nord', "x'); DROP TABLE t; --"],
      single: '42',
      none: [],
      word: 'many',
      mixed: ['7', 'x', ' 8 '],
      day: '2026-01-31',
    },
  };
  const policy = (text: string, dialect: 'duckdb' | 'postgres' = 'duckdb', params: string[] = []) =>
    emitted(text, dialect, { principal, params }, 'policy');

  it('bind the values of the user', () => {
    expect(
      policy('[region] IN user.attr("region") OR user.email = [region] OR user.groups IS NULL', 'duckdb', ['first']),
    ).toEqual({
      kind: 'sql',
      sql: '"t"."region" IN (SELECT unnest(CAST($2 AS VARCHAR[]))) OR CAST($3 AS VARCHAR) = "t"."region" OR CAST($4 AS VARCHAR[]) IS NULL',
      params: ['first', principal.attributes.region, principal.email, principal.groups],
      missingAttributes: [],
    });
    expect(policy('[region] NOT IN user.groups AND [qty] IN user.attr("single")', 'postgres')).toMatchObject({
      sql: '"t"."region" <> ALL (CAST($1 AS text[])) AND "t"."qty" = ANY (CAST($2 AS bigint[]))',
      params: [principal.groups, ['42']],
    });
  });

  it('report attributes that the user does not have', () => {
    expect(policy('[region] IN user.attr("country") OR [qty] = user.attr("floor")')).toMatchObject({
      sql: 'FALSE OR "t"."qty" = CAST(NULL AS BIGINT)',
      missingAttributes: ['country', 'floor'],
      params: [],
    });
    expect(policy('[region] = user.attr("constructor")')).toMatchObject({ missingAttributes: ['constructor'] });
  });

  it.each([
    ['[region] = user.attr("region")', 'has 2 values'],
    ['[region] = user.attr("none")', 'has 0 values'],
    ['[qty] IN user.attr("region")', 'No value of the attribute is an integer'],
    ['[price] > user.attr("word")', 'No value of the attribute is'],
    ['TO_DATE("2026-01-01") < user.attr("word")', 'is a date'],
    ['LOWER([region]) = LOWER(user.attr("region"))', 'has 2 values'],
  ])('reject %s, whose attribute does not fit', (text, part) => {
    expect(policy(text)).toMatchObject({
      kind: 'rejected',
      diagnostic: { code: 6001, message: expect.stringContaining(part) },
    });
  });

  it('convert attributes once to the type beside them', () => {
    const params = (text: string, dialect: 'duckdb' | 'postgres' = 'duckdb') => {
      const emission = policy(text, dialect);
      return emission.kind === 'sql' ? [emission.sql, ...emission.params] : emission;
    };
    expect(params('LOWER([region]) = LOWER(user.attr("word"))')).toEqual([
      'lower("t"."region") = lower(CAST($1 AS VARCHAR))',
      'many',
    ]);
    expect(params('CONTAINS(user.attr("word"), [region])', 'postgres')).toEqual([
      expect.stringContaining('CAST($1 AS text)'),
      'many',
    ]);
    expect(params('[qty] > TO_NUMBER(user.attr("single")) + 1')).toEqual([expect.stringContaining('TRY_CAST'), '42']);
    expect(params('[score] >= user.attr("single")')).toEqual(['"t"."score" >= CAST($1 AS DOUBLE)', '42']);
    expect(params('[price] BETWEEN 1 AND user.attr("single")', 'postgres')).toEqual([
      '"t"."price" BETWEEN 1 AND CAST($1 AS numeric)',
      '42',
    ]);
    expect(params('user.attr("day") <= TO_DATE([region])', 'postgres')).toEqual([
      expect.stringMatching(/^CAST\(\$1 AS date\) <= /),
      '2026-01-31',
    ]);
    expect(params('DATETIME "2026-01-31T01:00:00+01:00" = user.attr("day")')).toEqual([
      expect.stringMatching(/= CAST\(\$1 AS TIMESTAMPTZ\)$/),
      '2026-01-31 00:00:00+00',
    ]);
    expect(params('IF(user.attr("word") = "many", [qty] > 0, [region] = "x")')).toHaveLength(2);
  });

  it('let a value of a list that does not convert match nothing, also if the condition is negated', () => {
    expect(policy('[qty] IN user.attr("mixed") OR [qty] NOT IN user.attr("mixed")')).toMatchObject({
      sql: '("t"."qty" IN (SELECT unnest(CAST($1 AS BIGINT[]))) OR NULL) OR ("t"."qty" NOT IN (SELECT unnest(CAST($1 AS BIGINT[]))) AND NULL)',
      params: [['7', '8']],
    });
  });

  it('are rejected without a user', () => {
    expect(emitted('user.role = "viewer"', 'duckdb', {}, 'policy')).toMatchObject({ kind: 'rejected' });
  });
});

describe('injection', () => {
  /** SQL without its quoted texts and names. */
  const bare = (sql: string) => sql.replace(/E'(?:[^'\\]|''|\\\\)*'|'(?:[^']|'')*'|"(?:[^"]|"")*"/g, '?');

  it('is impossible through texts, names and attributes', () => {
    const wild = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
      fc.string({
        unit: fc.constantFrom("'", '"', '\\', ';', '-', '$', '{', '}', '(', ')', '\n', 'a', '/', '*'),
        minLength: 1,
        maxLength: 12,
      }),
    );
    fc.assert(
      fc.property(wild, wild, wild, fc.constantFrom('duckdb', 'postgres'), (text, column, alias, dialect) => {
        const quoted = `"${text.replaceAll('"', '""')}"`;
        const expression = `CONTAINS(REPLACE([region], ${quoted}, ${quoted}), user.email)`;
        const emission = emit(treeOf(expression, 'policy'), {
          dialect: dialect as 'duckdb',
          now: NOW,
          columnOf: () => ({ table: alias, column }),
          principal: { id: text, email: text, role: text, groups: [text], attributes: {} },
        });
        if (emission.kind !== 'sql') throw new Error(JSON.stringify(emission));
        const shape = {
          duckdb: 'contains(replace(?.?, ?, ?), CAST($1 AS VARCHAR))',
          postgres: '(strpos(replace(?.?, ?, ?), CAST($1 AS text)) > 0)',
        };
        expect(bare(emission.sql)).toBe(shape[dialect as 'duckdb']);
        expect(emission.sql).toContain(`${quoteIdentifier(alias)}.${quoteIdentifier(column)}`);
        expect(emission.params).toEqual([text]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is impossible through time zones', () => {
    expect(bare(sqlOf('MAX(YEAR([at]))', 'postgres', 'measure', { timezone: "UTC'; DROP TABLE x; --" }))).toBe(
      'max(CAST(extract(year FROM (?.? AT TIME ZONE ?)) AS bigint))',
    );
  });
});

describe('traits', () => {
  const additive = (text: string) => analyze(text, SCOPE, { purpose: 'measure' }).valid?.additive;

  it.each([
    ['SUM([qty])', 'full'],
    ['COUNT(*)', 'full'],
    ['SUM_IF([price], [paid]) * 1.19 - COUNT([id])', 'full'],
    ['-SUM([qty]) / 2', 'full'],
    ['2 * SUM([qty])', 'full'],
    ['COALESCE(SUM([qty]), 0)', 'full'],
    ['{Revenue}', 'full'],
    ['MIN([price])', 'semi'],
    ['MAX([day])', 'semi'],
    ['MAX([price]) * 2', 'none'],
    ['SUM([qty]) + 1', 'none'],
    ['SUM([qty]) * SUM([qty])', 'none'],
    ['2 / SUM([qty])', 'none'],
    ['AVG([price])', 'none'],
    ['COUNT_DISTINCT([region])', 'none'],
    ['ROUND(SUM([price]))', 'none'],
    ['SUM([price]) / COUNT(*)', 'none'],
    ['42', 'none'],
  ])('of %s: additivity is %s', (text, expected) => {
    expect(additive(text)).toBe(expected);
  });

  it.each([
    ['SUM([qty])', 'integer', 'none'],
    ['SUM([price])', 'decimal', 'none'],
    ['SUM([price]) / 2', 'number', 'none'],
    ['MAX([at])', 'datetime', 'none'],
    ['MAX([day]) < TODAY()', 'boolean', 'date'],
    ['COUNT_IF([at] < NOW() AND [day] < TODAY())', 'integer', 'instant'],
    ['NULL', undefined, 'none'],
  ])('of %s: the type is %s and the clock %s', (text, dataType, clock) => {
    const { valid } = analyze(text, SCOPE, { purpose: 'measure' });
    expect([valid?.dataType, valid?.clock]).toEqual([dataType, clock]);
  });
});

describe('speed', () => {
  /** The fastest of many runs, which other work of the machine does not disturb, in milliseconds. */
  const fastest = (work: () => void) => {
    const times = Array.from({ length: 40 }, () => {
      const start = performance.now();
      work();
      return performance.now() - start;
    });
    return Math.min(...times);
  };

  const scopeOf = (count: number): Scope => ({
    tables: Array.from({ length: count / 200 }, (_, table) => ({
      id: `t${table}`,
      alias: `table ${table}`,
      fields: Array.from({ length: 200 }, (_, field) => ({
        id: `${table}-${field}`,
        name: `field ${field}`,
        dataType: 'decimal' as const,
      })),
    })),
    measures: [],
  });

  it('of 5,000 characters is the same among 400 and 10,000 fields', () => {
    let text = 'SUM([table 0.field 0])';
    for (let index = 1; text.length < 5_000; index += 1)
      text += ` + IF(SUM([table ${index % 2}.field ${index}]) > ${index}, 1, 2)`;
    const run = (scope: Scope) => () => {
      const tree = treeOf(text, 'measure', scope);
      emit(tree, { dialect: 'postgres', columnOf: ({ field }) => ({ column: field }), now: NOW });
    };
    fastest(run(scopeOf(400)));
    expect(fastest(run(scopeOf(10_000)))).toBeLessThan(3 * fastest(run(scopeOf(400))) + 1);
  });

  it('does not grow with the ways to a measure', () => {
    const measures = [{ id: 'm0', name: 'M0', expression: 'SUM([data.qty])' }];
    for (let level = 1; level < 10; level += 1) {
      const part = `{M${level - 1}}`;
      measures.push({ id: `m${level}`, name: `M${level}`, expression: Array(20).fill(part).join(' + ') });
    }
    expect(fastest(() => analyze('{M9}', { ...SCOPE, measures }, { purpose: 'measure' }))).toBeLessThan(50);
    const emission = emit(treeOf('{M9}', 'measure', { ...SCOPE, measures }), { dialect: 'duckdb', columnOf, now: NOW });
    expect(emission.kind).toBe('rejected');
    for (const [expression, code] of [
      ['{M9} + 1', 4001],
      ['SUM([data.nope])', 2001],
      ['{M10} + 1', 4002],
    ] as const) {
      const deeper = [
        { id: 'm10', name: 'M10', expression: '{M11}' },
        { id: 'm11', name: 'M11', expression: 'COUNT(*)' },
      ];
      const broken = [{ ...measures[0]!, expression }, ...measures.slice(1), ...deeper];
      const { diagnostics } = analyze('{M9}', { ...SCOPE, measures: broken }, { purpose: 'measure' });
      expect(diagnostics).toMatchObject([{ code, from: 0, to: 4 }]);
    }
  });
});
