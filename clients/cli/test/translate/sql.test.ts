import { describe, expect, it } from 'vitest';
import { type DataType, type Scope, translateSql } from '../../src/translate/sql.ts';

const TYPES: Record<string, DataType> = { amount: 'decimal', quantity: 'integer', status: 'string', day: 'date' };

const translated = (sql: string) => {
  const scope: Scope = {
    checks: [],
    column: (name) => ({ text: `[o.${name}]`, type: TYPES[name] ?? 'unknown', isAtom: true }),
    reference: (content, column) => ({
      text: `<${content}${column ? `.${column}` : ''}>`,
      type: 'number',
      isAtom: true,
    }),
  };
  return { ...translateSql(sql, scope), checks: scope.checks };
};

describe('an expression of SQL', () => {
  it.each<[sql: string, text: string, type: DataType]>([
    ['amount', '[o.amount]', 'decimal'],
    ['"amount" -- the total', '[o.amount]', 'decimal'],
    ['o.amount * 2', '[o.amount] * 2', 'decimal'],
    ['amount - quantity - 1', '([o.amount] - [o.quantity]) - 1', 'decimal'],
    ['amount - (quantity - 1)', '[o.amount] - ([o.quantity] - 1)', 'decimal'],
    ['-amount + 1', '-[o.amount] + 1', 'decimal'],
    ['amount / 2.0', '[o.amount] / 2.0', 'number'],
    ['quantity % 2', 'MOD([o.quantity], 2)', 'integer'],
    ["status = 'it''s'", '[o.status] = "it\'s"', 'boolean'],
    [`status <> '"'`, '[o.status] <> """"', 'boolean'],
    ["status != 'a' and amount > 1", '([o.status] <> "a") AND ([o.amount] > 1)', 'boolean'],
    ["not status = 'a' or amount is not null", '(NOT ([o.status] = "a")) OR ([o.amount] IS NOT NULL)', 'boolean'],
    ["status in ('a', 'b')", '[o.status] IN ("a", "b")', 'boolean'],
    ["status not in ('a')", 'NOT [o.status] IN ("a")', 'boolean'],
    ['amount between 1 and 2', '[o.amount] BETWEEN 1 AND 2', 'boolean'],
    ["status like 'a%'", 'STARTS_WITH([o.status], "a")', 'boolean'],
    ["status like '%a%'", 'CONTAINS([o.status], "a")', 'boolean'],
    ['case when amount > 1 then 1 else 0 end', 'CASE WHEN [o.amount] > 1 THEN 1 ELSE 0 END', 'integer'],
    ["case status when 'a' then 'b' end", 'CASE [o.status] WHEN "a" THEN "b" END', 'string'],
    ['coalesce(amount, 0)', 'COALESCE([o.amount], 0)', 'decimal'],
    ['ifnull(amount, 0)', 'COALESCE([o.amount], 0)', 'decimal'],
    ["status || '-'", 'IF([o.status] IS NULL, NULL, CONCAT([o.status], "-"))', 'string'],
    ["date_trunc('MONTH', day)", 'DATE_TRUNC("month", [o.day])', 'date'],
    ['amount::float', 'TO_NUMBER([o.amount])', 'number'],
    ['cast(status as varchar(20))', 'TO_TEXT([o.status])', 'string'],
    ["day >= date '2026-01-01'", "[o.day] >= DATE '2026-01-01'", 'boolean'],
    [`\${TABLE}.amount + {CUBE.x} + {{ y }}`, '(<TABLE.amount> + <CUBE.x>) + <y>', 'number'],
  ])('%s', (sql, text, type) => {
    expect(translated(sql)).toMatchObject({ text, type });
  });

  it.each([
    'regexp_replace(status, 1)',
    'sum(amount)',
    'amount::numeric',
    "status ilike 'a'",
    "status like '_a'",
    'amount over (partition by status)',
    '(select 1)',
    'amount in (select 1)',
    'a.b.c',
    'amount +',
    'case when amount then 1',
    "'open",
    'round(amount, 1, 2)',
    "date_trunc('decade', day)",
    `${'('.repeat(200)}1${')'.repeat(200)}`,
  ])('without a counterpart is not guessed: %s', (sql) => {
    expect(() => translated(sql)).toThrow(/\S/);
  });

  it('that may mean something else is to be checked', () => {
    expect(translated('quantity / 2').checks).toEqual([expect.stringContaining('fraction')]);
    expect(translated("concat(status, 'a')").checks).toEqual([expect.stringContaining('missing text')]);
    expect(translated('amount / 2.5').checks).toEqual([]);
  });
});
