import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { analyze, DIAGNOSTIC_CODES, type Purpose, type Scope } from '../../../../shared/data/expressions/index.ts';

const field = (name: string, dataType: string, more: object = {}) => ({ id: `f-${name}`, name, dataType, ...more });

const SCOPE = {
  tables: [
    {
      id: 't-orders',
      alias: 'orders',
      fields: [
        field('id', 'integer'),
        field('amount', 'decimal'),
        field('qty', 'integer'),
        field('score', 'number'),
        field('name', 'string'),
        field('paid', 'boolean'),
        field('day', 'date'),
        field('at', 'datetime'),
        field('net', 'decimal'),
        field('Net', 'decimal'),
        field('salary', 'decimal', { access: 'denied' }),
        field('internal', 'string', { access: 'hidden' }),
        field('circle', 'integer', { expression: '[circle] + 1' }),
        field('wrong', 'integer', { expression: '[name] + 1' }),
        field('double', 'integer', { expression: '[qty] * 2' }),
      ],
    },
    {
      id: 't-customers',
      alias: 'customers',
      fields: [{ ...field('id', 'integer'), id: 'f-customer' }, field('segment', 'string')],
    },
  ],
  measures: [
    { id: 'm-revenue', name: 'Revenue', expression: 'SUM([orders.amount])' },
    { id: 'm-a', name: 'Loop A', expression: '{Loop B} + 1' },
    { id: 'm-b', name: 'Loop B', expression: '{Loop A} + 1' },
    { id: 'm-broken', name: 'Broken', expression: 'SUM([orders.gone])' },
    { id: 'm-0', name: 'Chain 0', expression: 'SUM([orders.amount])' },
    ...Array.from({ length: 11 }, (_, index) => ({
      id: `m-${index + 1}`,
      name: `Chain ${index + 1}`,
      expression: `{Chain ${index}} + 1`,
    })),
  ],
} as unknown as Scope;

const PURPOSES: Record<string, Purpose> = { m: 'measure', r: 'row', p: 'policy' };

const cases = readFileSync(new URL('corpus/diagnostics.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(3)
  .map((line) => {
    const [marked = '', code, part = ''] = line.slice(2).split(' | ');
    const text = marked.replace(/[«»]/g, '');
    const from = marked.indexOf('«');
    return { purpose: PURPOSES[line[0]!]!, text, from, to: marked.indexOf('»') - 1, code: Number(code), part };
  });

describe('diagnostics', () => {
  it.each(cases)('of $text are $code at $from', ({ purpose, text, from, to, code, part }) => {
    const { ok, diagnostics } = analyze(text, SCOPE, { purpose });
    const found = diagnostics.filter((each) => each.code === code && each.from === from && each.to === to);
    expect(diagnostics.length, JSON.stringify(diagnostics)).toBe(1);
    expect(found, JSON.stringify(diagnostics)).toHaveLength(1);
    expect(`${found[0]!.message} ${found[0]!.hint}`).toContain(part);
    expect(ok).toBe(found[0]!.severity === 'warning');
  });

  it('cover every code that an expression can have', () => {
    const ofPlanner = [5001, 5002, 5003, 5004, 5005, 5007, 5008, 5009, 3005, 6001];
    const known = new Set([...cases.map(({ code }) => code), ...ofPlanner]);
    expect([...known].sort()).toEqual(Object.keys(DIAGNOSTIC_CODES).map(Number).sort());
  });

  it('report every issue of a text at once, in the order of their places', () => {
    const { diagnostics } = analyze('SUMM([orders.x]) + AVG([orders.name]) / 12a + {No}', SCOPE, {
      purpose: 'measure',
    });
    expect(diagnostics.map(({ code, from, to }) => [code, from, to])).toEqual([
      [1002, 0, 4],
      [2001, 5, 15],
      [3001, 23, 36],
      [1004, 40, 43],
      [2002, 46, 50],
    ]);
  });

  it('recover after a wrong part of a list', () => {
    const { diagnostics } = analyze('COALESCE(1 2, [orders.x], ;, [orders.y])', SCOPE, { purpose: 'row' });
    expect(diagnostics.map(({ code, from }) => [code, from])).toEqual([
      [1001, 11],
      [2001, 14],
      [1001, 26],
      [2001, 29],
    ]);
  });

  it('count UTF-16 units', () => {
    const { diagnostics } = analyze('CONCAT("😀é", [orders.x])', SCOPE, { purpose: 'row' });
    expect(diagnostics).toMatchObject([{ code: 2001, from: 14, to: 24 }]);
  });

  it('compare the declared type, where a wider type of numbers is fine', () => {
    const declared = (declaredType: 'integer' | 'number' | 'date', text = 'SUM([orders.amount])') =>
      analyze(text, SCOPE, { purpose: 'measure', declaredType }).diagnostics.map(({ code }) => code);
    expect([declared('number'), declared('integer'), declared('date')]).toEqual([[], [3005], [3005]]);
    expect(declared('date', 'MAX([orders.at])')).toEqual([3005]);
  });

  it('find a circle through the measure that is edited', () => {
    const { diagnostics } = analyze('{Chain 3} * 2', SCOPE, { purpose: 'measure', self: 'm-1' });
    expect(diagnostics).toMatchObject([{ code: 4001, from: 0, to: 9 }]);
    expect(analyze('{Chain 9}', SCOPE, { purpose: 'measure' }).diagnostics).toEqual([]);
  });

  it('never name a denied field as a suggestion', () => {
    const { diagnostics } = analyze('SUM([orders.salry])', SCOPE, { purpose: 'measure' });
    expect(JSON.stringify(diagnostics)).not.toContain('salary');
  });
});

describe('limits', () => {
  const codesOf = (text: string) =>
    analyze(text, SCOPE, { purpose: 'row' }).diagnostics.map(({ code, message }) => [code, message]);

  it.each([
    ['brackets', (depth: number) => `${'('.repeat(depth)}1${')'.repeat(depth)}`],
    ['signs', (depth: number) => `${'- '.repeat(depth)}1`],
    ['negations', (depth: number) => `${'NOT '.repeat(depth)}TRUE`],
    ['calls', (depth: number) => `${'ABS('.repeat(depth)}1${')'.repeat(depth)}`],
    ['cases', (depth: number) => `${'CASE WHEN TRUE THEN '.repeat(depth)}1${' END'.repeat(depth)}`],
  ])('end %s at 200 levels without a stack overflow', (_, nest) => {
    expect(codesOf(nest(90))).toEqual([]);
    for (const depth of [300, 1_500]) {
      expect(codesOf(nest(depth))).toMatchObject([[1001, 'The expression is nested more than 200 levels deep.']]);
    }
  });

  it('allow long chains and lists', () => {
    expect(codesOf(Array(4_900).fill('1').join(' + '))).toEqual([]);
    expect(codesOf(`1 IN (${Array(4_900).fill('1').join(', ')})`)).toEqual([]);
    expect(codesOf(Array(4_900).fill('TRUE').join(' AND '))).toEqual([]);
  });

  it('reject more than 10,000 tokens and 64 KB', () => {
    expect(codesOf(Array(5_001).fill('1').join(' + '))).toMatchObject([[1001, expect.stringContaining('10000')]]);
    expect(codesOf(`"${'é'.repeat(33_000)}"`)).toMatchObject([[1001, expect.stringContaining('64 KB')]]);
    expect(codesOf(`"${'e'.repeat(65_000)}"`)).toEqual([]);
  });
});
