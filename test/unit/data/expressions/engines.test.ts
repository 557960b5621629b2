import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../../../infra/docs/expression-guide.ts';
import {
  analyze,
  type Dialect,
  emit,
  emitOrder,
  FUNCTION_GROUPS,
  type ValidExpression,
} from '../../../../shared/data/expressions/index.ts';
import allowedFunctions from '../../../../shared/data/sql/allowed-functions.json' with { type: 'json' };
import { checkPostgresSelect } from '../../../../shared/data/sql/postgres-check.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { RandomExpressions } from './random-expressions.ts';
import { CREATE_SAMPLE, SAMPLE_SCOPE } from './sample-of-guide.ts';
import { CREATE_DATA, columnOf, SCOPE } from './scope-of-data.ts';
import { type Answer, isKindOf, isSame, readValue, useEngines } from './two-engines.ts';

const engines = useEngines(`${CREATE_DATA};\n${CREATE_SAMPLE}`);

const OPTIONS = { columnOf, timezone: 'Europe/Berlin', now: new Date('2026-02-28T23:30:00Z') };
const DIALECTS = ['duckdb', 'postgres'] as const;

/** The lines of a corpus, without the title. */
const corpus = (name: string) =>
  readFileSync(new URL(`corpus/${name}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(2);

function valid(text: string, purpose: 'measure' | 'row'): ValidExpression {
  const analysis = analyze(text, SCOPE, { purpose });
  if (!analysis.valid) throw new Error(`${text}: ${JSON.stringify(analysis.diagnostics)}`);
  return analysis.valid;
}

function sqlOf(expression: ValidExpression, dialect: Dialect): string {
  const emission = emit(expression.tree, { ...OPTIONS, dialect });
  if (emission.kind !== 'sql') throw new Error(JSON.stringify(emission));
  return emission.sql;
}

/** Runs one statement with all expressions; if it fails, finds the expression that fails on its own. */
async function answer(dialect: Dialect, columns: string[], rest: string): Promise<Answer> {
  try {
    return await engines[dialect](`SELECT ${columns.join(',\n')} ${rest}`);
  } catch (error) {
    for (const column of columns) {
      await engines[dialect](`SELECT ${column} ${rest}`).catch((cause) => {
        throw new Error(`${dialect}: ${column}: ${cause.message}`);
      });
    }
    throw error;
  }
}

/** What differs between the engines, as lines for the reader of a failure. */
async function differences(texts: string[], purpose: 'measure' | 'row', rest: string): Promise<string[]> {
  const expressions = texts.map((text) => valid(text, purpose));
  const answers = {} as Record<Dialect, Answer>;
  for (const dialect of DIALECTS)
    answers[dialect] = await answer(
      dialect,
      expressions.map((each) => sqlOf(each, dialect)),
      rest,
    );
  const { duckdb, postgres } = answers;
  expect(duckdb.rows.length).toBe(postgres.rows.length);
  return texts.flatMap((text, column) => {
    const { type } = expressions[column]!.tree;
    const kinds = DIALECTS.filter((dialect) => !isKindOf(answers[dialect].kinds[column]!, type) && type !== 'null');
    const issues = kinds.map((dialect) => `${text}: ${type} is ${answers[dialect].kinds[column]} in ${dialect}`);
    for (const [index, row] of duckdb.rows.entries()) {
      const [left, right] = [readValue(row[column]!, type), readValue(postgres.rows[index]![column]!, type)];
      if (!isSame(left, right)) issues.push(`${text}: row ${index}: ${left} in duckdb, ${right} in postgres`);
    }
    return issues;
  });
}

describe('constants', () => {
  const cases = corpus('constants').map((line) => line.split(' => ') as [string, string]);

  it('have the promised results in both engines', async () => {
    const expressions = cases.map(([text]) => valid(text, 'row'));
    for (const dialect of DIALECTS) {
      const { rows, kinds } = await answer(
        dialect,
        expressions.map((each) => sqlOf(each, dialect)),
        '',
      );
      const wrong = cases.flatMap(([text, expected], index) => {
        const { type } = expressions[index]!.tree;
        const value = readValue(rows[0]![index]!, type);
        const isExact = (type === 'integer' || type === 'decimal') && value !== null;
        const wanted = isExact ? expected.replaceAll('"', '') : JSON.parse(expected);
        const isRight = isSame(value, wanted) && (type === 'null' || isKindOf(kinds[index]!, type));
        return isRight ? [] : [`${text} is ${JSON.stringify(value)} (${kinds[index]}), not ${expected} (${type})`];
      });
      expect(wrong, dialect).toEqual([]);
    }
  });
});

describe('rows', () => {
  const texts = corpus('rows');

  it('are the same in both engines', async () => {
    expect(await differences(texts, 'row', 'FROM facts AS t ORDER BY t."id"')).toEqual([]);
  });

  it('have the same order in both engines, with nulls last', async () => {
    const sorted = texts.filter((text, index) => /^\[\w+\]$/.test(text) || index % 6 === 0);
    for (const direction of ['asc', 'desc'] as const) {
      const ranks: Answer[] = [];
      for (const dialect of DIALECTS) {
        const columns = sorted.map((text) => {
          const order = emitOrder(valid(text, 'row').tree, direction, { ...OPTIONS, dialect });
          if (order.kind !== 'sql') throw new Error(text);
          return `row_number() OVER (ORDER BY ${order.sql}, t."id")`;
        });
        ranks.push(await answer(dialect, columns, 'FROM facts AS t ORDER BY t."id"'));
      }
      const orderOf = (which: number, column: number) => ranks[which]!.rows.map((row) => String(row[column]));
      const different = sorted.filter((_, column) => orderOf(0, column).join() !== orderOf(1, column).join());
      expect(different, direction).toEqual([]);
    }
  });

  it('are the same in a time zone with half hours and one that skips midnights', async () => {
    for (const timezone of ['Asia/Kolkata', 'America/Sao_Paulo', 'UTC']) {
      OPTIONS.timezone = timezone;
      const dated = texts.filter((text) => /\b(at|seen|day)\b/.test(text));
      expect(await differences(dated, 'row', 'FROM facts AS t ORDER BY t."id"'), timezone).toEqual([]);
    }
    OPTIONS.timezone = 'Europe/Berlin';
  });
});

describe('random expressions', () => {
  const random = new RandomExpressions(seededRandom(20260228));

  it('of rows are the same in both engines', async () => {
    const texts = Array.from({ length: 150 }, () => random.any(3));
    expect(await differences(texts, 'row', 'FROM facts AS t ORDER BY t."id"')).toEqual([]);
  });

  it('of groups are the same in both engines', async () => {
    const texts = Array.from({ length: 80 }, () => random.measure(2));
    expect(await differences(texts, 'measure', 'FROM facts AS t GROUP BY t."region" ORDER BY min(t."id")')).toEqual([]);
  });
});

describe('the SQL', () => {
  it('passes the check of queries of Postgres sources', async () => {
    for (const [name, purpose] of [
      ['constants', 'row'],
      ['rows', 'row'],
      ['aggregates', 'measure'],
    ] as const) {
      const texts = corpus(name).map((line) => line.split(' => ')[0]!);
      const columns = texts.map((text) => sqlOf(valid(text, purpose), 'postgres'));
      const checked = await checkPostgresSelect(`SELECT ${columns.join(',\n')} FROM facts AS t`);
      expect(checked.tables).toEqual(['facts']);
    }
  });

  it('calls only functions of DuckDB that users may call too', async () => {
    const names = new Set<string>();
    for (const [name, purpose] of [
      ['constants', 'row'],
      ['rows', 'row'],
      ['aggregates', 'measure'],
    ] as const) {
      for (const line of corpus(name)) {
        const sql = sqlOf(valid(line.split(' => ')[0]!, purpose), 'duckdb').replace(
          /'(?:[^']|'')*'|"(?:[^"]|"")*"/g,
          "''",
        );
        for (const [, called] of sql.matchAll(/\b([a-z_]+)\(/g)) names.add(called!);
      }
    }
    expect(names.size).toBeGreaterThan(30);
    const allowed = new Set([...allowedFunctions.names, ...allowedFunctions.aggregates]);
    expect([...names].filter((name) => !allowed.has(name))).toEqual([]);
  });
});

describe('the guide', () => {
  const functions = Object.values(FUNCTION_GROUPS).flat();

  /** What an engine gives for an example, as JSON; undefined if the example needs a plan. */
  async function resultOf(text: string, dialect: Dialect): Promise<unknown> {
    const { valid: expression, diagnostics } = analyze(text, SAMPLE_SCOPE, { purpose: 'measure' });
    if (!expression) throw new Error(`${text}: ${JSON.stringify(diagnostics)}`);
    const { tree } = expression;
    const emission = emit(tree, { ...OPTIONS, columnOf: ({ field }) => ({ column: field }), dialect });
    if (emission.kind !== 'sql') return undefined;
    const { rows } = await engines[dialect](`SELECT ${emission.sql}${text.includes('[') ? ' FROM orders' : ''}`);
    const value = readValue(rows[0]![0]!, tree.type);
    return /^(integer|decimal)$/.test(tree.type) && value !== null ? Number(value) : value;
  }

  it.each(DIALECTS)('shows the results of its examples in %s', async (dialect) => {
    for (const [text, result] of [...functions.map(({ example }) => example), ...EXAMPLES]) {
      const found = await resultOf(text, dialect);
      expect(found, text).toEqual(result === undefined ? undefined : JSON.parse(result));
    }
  });
});

describe('aggregates', () => {
  const texts = corpus('aggregates');

  it.each([
    ['of groups', 'FROM facts AS t GROUP BY t."region" ORDER BY t."region" IS NULL, min(t."id")'],
    ['of all rows', 'FROM facts AS t'],
    ['of single rows', 'FROM facts AS t GROUP BY t."id" ORDER BY t."id"'],
    ['of no rows', 'FROM facts AS t WHERE 1 = 0'],
  ])('%s are the same in both engines', async (_, rest) => {
    expect(await differences(texts, 'measure', rest)).toEqual([]);
  });
});
