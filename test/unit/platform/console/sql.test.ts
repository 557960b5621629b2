import { CompletionContext, type CompletionResult, type CompletionSource } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { sqlLanguage } from '../../../../functions/platform/console/site/screens/sql/language.ts';
import {
  castParameters,
  issueOfValue,
  valuesOf,
} from '../../../../functions/platform/console/site/screens/sql/parameters.ts';
import {
  nameInSql,
  parametersOf,
  statementAt,
  statementsOf,
  tablesOf,
  titleOf,
} from '../../../../functions/platform/console/site/screens/sql/statements.ts';

const texts = (sql: string) => statementsOf(sql).map(({ from, to }) => sql.slice(from, to));

describe('the statements of a text', () => {
  it.each([
    ['SELECT 1', ['SELECT 1']],
    ['SELECT 1; SELECT 2;\n', ['SELECT 1', 'SELECT 2']],
    [
      `SELECT ';' AS "a;b" -- c;d\n, 2 /* ; */ ;SELECT $$;$$`,
      [`SELECT ';' AS "a;b" -- c;d\n, 2 /* ; */`, 'SELECT $$;$$'],
    ],
    [`SELECT 'it''s; fine'`, [`SELECT 'it''s; fine'`]],
    ['SELECT $tag$ ; $tag$; x', ['SELECT $tag$ ; $tag$', 'x']],
    ['-- nothing;\n;;', []],
    [`SELECT 'open ; `, [`SELECT 'open ;`]],
  ])('are separated by the semicolons that end them: %s', (sql, expected) => {
    expect(texts(sql)).toEqual(expected);
  });

  it('are chosen by the cursor, which may be behind one', () => {
    const sql = 'SELECT 1;\n\nSELECT 2;\n';
    const at = (place: number) => {
      const range = statementAt(sql, place);
      return range && sql.slice(range.from, range.to);
    };
    expect([at(0), at(9), at(10), at(11), at(sql.length)]).toEqual([
      'SELECT 1',
      'SELECT 1',
      'SELECT 1',
      'SELECT 2',
      'SELECT 2',
    ]);
    expect(statementAt('  ', 0)).toBeUndefined();
  });

  it('have parameters outside of texts and comments, each once', () => {
    expect(parametersOf(`SELECT $a, '$b', "$c", $a, $1 -- $d\n FROM t WHERE x = $under_score /* $e */`)).toEqual([
      'a',
      '1',
      'under_score',
    ]);
  });

  it('name tables and titles', () => {
    expect(tablesOf('SELECT * FROM orders o JOIN "Ugly ""name""" x ON true join s.t')).toEqual([
      'orders',
      'Ugly "name"',
      's.t',
    ]);
    expect([nameInSql('orders'), nameInSql('Orders'), nameInSql('a"b')]).toEqual(['orders', '"Orders"', '"a""b"']);
    const region = { name: 'region', type: 'string' };
    const total = { name: 'total', type: 'decimal(38,2)' };
    expect(titleOf('-- Revenue of 2026\nSELECT 1')).toBe('Revenue of 2026');
    expect(titleOf('SELECT …', [region, total])).toBe('total by region');
    expect(titleOf('SELECT …', [total])).toBe('total');
    expect(titleOf('SELECT * FROM orders', [region, total, region])).toBe('orders');
    expect(titleOf('SELECT 1')).toBe('Query');
  });
});

describe('the parameters of a statement', () => {
  const fields = { day: { type: 'date', text: '2026-01-31' }, least: { type: 'integer', text: '12' } };

  it('are sent as values by name, or as a list by number', () => {
    expect(valuesOf(['day', 'least', 'other'], fields)).toEqual({ day: '2026-01-31', least: 12, other: null });
    expect(valuesOf(['2', '1'], { 2: { type: 'boolean', text: 'true' }, 1: { type: 'string', text: 'x' } })).toEqual([
      'x',
      true,
    ]);
    expect(valuesOf(['big'], { big: { type: 'integer', text: '9007199254740993' } })).toEqual({
      big: '9007199254740993',
    });
  });

  it('have their type beside them, and places lead back to what was written', () => {
    const written = 'SELECT $day, x\nWHERE d > $day AND n = $least AND custommer';
    const { sql, placeOf } = castParameters(written, fields, 'datasets');
    expect(sql).toBe('SELECT $day::DATE, x\nWHERE d > $day::DATE AND n = $least::BIGINT AND custommer');
    for (const word of ['SELECT', ', x', 'WHERE', 'AND n', 'custommer']) {
      expect(placeOf(sql.indexOf(word)), word).toBe(written.indexOf(word));
    }
    expect(castParameters(written, fields, 'mysql').sql).toBe(written);
  });

  it('say what does not fit their type', () => {
    expect(issueOfValue({ type: 'integer', text: '1.5' })).toBe('Enter a whole number, such as 42.');
    expect(issueOfValue({ type: 'date', text: '31.01.2026' })).toBe('Enter a date, such as 2026-01-31.');
    expect(issueOfValue({ type: 'decimal', text: '-0.50' })).toBeUndefined();
    expect(issueOfValue({ type: 'string', text: '' })).toBeUndefined();
  });
});

describe('what a statement is completed with', () => {
  const columns = (...names: string[]) => names.map((name) => ({ name, type: 'string' }));
  const many = Array.from({ length: 2_000 }, (_, index) => ({ name: `events_${index}`, columns: columns('at') }));
  const DATASETS = [
    ...many,
    { name: 'orders', columns: columns('amount', 'region') },
    { name: 'All orders', columns: columns('total') },
    { name: 'our_daily_revenue', columns: [] },
  ];
  const POSTGRES = [
    { schema: 'public', name: 'orders', columns: columns('amount') },
    { schema: 'sales', name: 'orders', columns: columns('amount') },
    { schema: 'sales', name: 'leads' },
  ];

  /**
   * The names of tables, columns and schemas that are offered at the bar, by all sources, and what they would
   * write.
   */
  async function offered(text: string, tables: Parameters<typeof sqlLanguage>[1] = DATASETS) {
    const at = text.indexOf('|');
    const database = tables === DATASETS ? 'datasets' : 'postgres';
    const doc = text.replace('|', '');
    const state = EditorState.create({ doc, extensions: sqlLanguage(database, tables) });
    const context = new CompletionContext(state, at, false);
    const found = state.languageDataAt<CompletionSource>('autocomplete', at).map((source) => source(context));
    const results = (await Promise.all(found)).filter((result): result is CompletionResult => result !== null);
    return (
      results
        .flatMap(({ options }) => options)
        // Not the words of the language, such as its types.
        .filter(({ label, type }) => (type === 'type' || type === 'property') && label !== label.toUpperCase())
        .map(({ label, apply }) => (typeof apply === 'string' ? apply : label))
    );
  }

  it.each([
    ['SELECT * FROM ord|', ['orders', '"All orders"', 'our_daily_revenue']],
    ['SELECT * FROM ORD|', ['orders', '"All orders"', 'our_daily_revenue']],
    ['SELECT am| FROM orders', ['orders', 'amount', 'region']],
    ['SELECT o.| FROM orders o', ['amount', 'region']],
    ['SELECT orders.a|', ['amount', 'region']],
    ['SELECT "All orders".t|', ['total']],
    ["SELECT 'ord|'", []],
    ['SELECT $ord|', []],
  ])('%s', async (text, expected) => {
    const found = await offered(text);
    for (const name of expected) expect(found).toContain(name);
    if (expected.length === 0 || text.includes('.')) expect(found).toEqual(expected);
    expect(new Set(found).size).toBe(found.length);
  });

  it('offers a few of many tables, the best first, and all of them behind a quote', async () => {
    const found = await offered('SELECT * FROM events_1|');
    expect(found[0]).toBe('events_1');
    expect(found.length).toBeLessThan(100);
    expect(await offered('SELECT * FROM events_199|')).toContain('events_1999');
    expect(await offered('SELECT * FROM "All o|')).toContain('"All orders"');
  });

  it('offers schemas, and what is in the schema that was written', async () => {
    expect(await offered('SELECT * FROM sa|', POSTGRES)).toEqual(['public', 'sales']);
    expect(await offered('SELECT * FROM sales.l|', POSTGRES)).toEqual(['orders', 'leads']);
    expect(await offered('SELECT o.| FROM public.orders o', POSTGRES)).toEqual(['amount']);
  });
});
