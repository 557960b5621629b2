import { describe, expect, it } from 'vitest';
import { mentionedNames } from '../../../shared/query/mentioned-names.ts';

describe('names that a statement mentions', () => {
  it.each<[sql: string, names: string[]]>([
    ['SELECT a FROM Orders', ['select', 'a', 'from', 'orders']],
    ['select * from "Or""ders  2026" -- customers\n/* regions */', ['select', 'from', 'or"ders  2026']],
    ["SELECT 'not a name' FROM 'sales'", ['select', 'from', 'sales']],
    ['SELECT o.amount, "o"."the sum" FROM Ähren o', ['select', 'o', 'from', 'ähren']],
    ['SELECT $name, $1 FROM t', ['select', 'from', 't']],
    ['', []],
  ])('%s', (sql, names) => {
    expect(mentionedNames(sql)).toEqual(names);
  });

  it('are at most 5,000', () => {
    const names = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`).join(', ');
    expect(mentionedNames(`SELECT ${names(4990)} FROM t`)).toHaveLength(4993);
    expect(() => mentionedNames(`SELECT ${names(5000)} FROM t`)).toThrow('more than 5000 names');
  });
});
