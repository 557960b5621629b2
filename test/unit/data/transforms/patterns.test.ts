import { describe, expect, it } from 'vitest';
import { quoteLiteral } from '../../../../shared/data/duckdb/quoting.ts';
import { type Dialect, textLiteral } from '../../../../shared/data/expressions/index.ts';
import { patternIssues, patternSql, replacementSql } from '../../../../shared/data/transforms/patterns.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { useEngines } from '../expressions/two-engines.ts';

const engines = useEngines('CREATE TABLE unused (id integer)');

const issuesOf = (from: string, to = '') =>
  patternIssues({ from, to }, '').map(({ pointer, message }) => `${pointer} ${message}`);

async function replaced(texts: readonly string[], pairs: readonly (readonly [string, string])[], dialect: Dialect) {
  const literal = (text: string) => textLiteral(text, dialect);
  const columns = pairs.map(
    ([from, to]) =>
      `regexp_replace(v, ${literal(patternSql(from, dialect))}, ${literal(replacementSql(to, dialect))}, 'g')`,
  );
  const values = texts.map((text, index) => `(${index}, ${quoteLiteral(text)})`).join(', ');
  const { rows } = await engines[dialect](`SELECT ${columns.join(', ')} FROM (VALUES ${values}) AS t(n, v) ORDER BY n`);
  return rows;
}

async function onBoth(texts: readonly string[], pairs: readonly (readonly [string, string])[]) {
  const [duckdb, postgres] = [await replaced(texts, pairs, 'duckdb'), await replaced(texts, pairs, 'postgres')];
  for (const [index, text] of texts.entries())
    for (const [at, pair] of pairs.entries())
      expect(duckdb[index]![at], JSON.stringify([text, pair])).toBe(postgres[index]![at]);
  return duckdb;
}

describe('a pattern that engines read alike', () => {
  const cases: [from: string, to: string, text: string, result: string][] = [
    ['\\s+', ' ', 'a \t\n b', 'a b'],
    ['^0+', '', '0012030', '12030'],
    ['[.,]$', '', 'a.b.', 'a.b'],
    ['(\\d{2})\\.(\\d{2})\\.(\\d{4})', '\\3-\\2-\\1', 'on 31.01.2026', 'on 2026-01-31'],
    ['Street|St', 'Rd', 'Street St', 'Rd Rd'],
    ['[^\\w]', '', 'a-b_c é', 'ab_c'],
    ['[\\]\\[\\\\^-]', '.', 'a]b[c\\d^e-f', 'a.b.c.d.e.f'],
    ['.', 'x', 'a\né😀', 'x\nxx'],
    ['[^a]', 'x', 'a\nb', 'axx'],
    ['a+b*', '<\\0>', 'aabbab', '<aabb><ab>'],
    ['[à-ü😀]', '*', 'aéz😀', 'a*z*'],
    ["'", '\\\\&', "o'b", 'o\\&b'],
    ['(?:ab){2,3}', '-', 'abababab', '-ab'],
    ['x{0,2}y', '-', 'xxxy', 'x-'],
    ['#\\{\\}\\(\\)\\|\\$\\*', 'ok', '#{}()|$*', 'ok'],
  ];
  for (const [from, to, text, result] of cases)
    it(`${from} → ${to}`, async () => {
      expect(issuesOf(from, to)).toEqual([]);
      expect(await onBoth([text], [[from, to]])).toEqual([[result]]);
    });
});

describe('a pattern without one meaning is rejected with the reason', () => {
  const cases: [from: string, reason: string, to?: string][] = [
    ['St|Street', 'longer alternatives first'],
    ['a?(ab)?c?', 'must match at least one character'],
    ['a?(ab)?c', ''],
    ['x(a|ab)(b|c)?', 'different lengths'],
    ['(a|ab)(c|bcd)', ''],
    ['x*', 'at least one character'],
    ['<.*?>', 'exclude what ends the match'],
    ['a++', 'after a quantifier'],
    ['(?=a)b', 'look-around'],
    ['(?i)a', 'look-around'],
    ['(a)\\1', 'engines read it differently'],
    ['\\bword', 'engines read it differently'],
    ['\\p{L}', 'engines read it differently'],
    ['(a', 'nothing closes'],
    ['a)', 'nothing opens'],
    ['[a', 'nothing closes'],
    ['[[:alpha:]]', 'within brackets'],
    ['[z-a]', 'from a smaller to a larger'],
    ['*a', 'nothing before *'],
    ['a{,2}', 'must have a count'],
    ['a{101}', 'at most 100'],
    ['(a*)+', 'may be empty'],
    ['a^b', 'at its beginning only'],
    ['^a|b$', 'brackets around alternatives'],
    ['(a{50}){50}', 'too long'],
    ['a', 'has \\2', '\\2'],
    ['(a)+', 'cannot repeat a group', '\\1'],
    ['(\\w+) (.*) (\\w+)', 'one way to match', '\\1'],
    ['a', '\\1 to \\9', '\\x'],
  ];
  for (const [from, reason, to] of cases)
    it(`${from}${to ? ` → ${to}` : ''}`, () => {
      if (reason === '') expect(issuesOf(from, to)).toEqual([]);
      else expect(issuesOf(from, to)).toEqual([expect.stringContaining(reason)]);
    });
});

it('random patterns that are valid replace the same in both engines', async () => {
  const random = seededRandom(11);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const atom = (depth: number): string =>
    depth > 0 && random() < 0.4
      ? `(${random() < 0.5 ? '?:' : ''}${pattern(depth - 1)})`
      : pick(['a', 'b', 'c', '[ab]', '[^b]', '.', '\\d']);
  const piece = (depth: number) => `${atom(depth)}${pick(['', '', '', '+', '*', '?', '{1,2}'])}`;
  const sequence = (depth: number) => Array.from({ length: 1 + Math.floor(random() * 3) }, () => piece(depth)).join('');
  const pattern = (depth: number): string =>
    random() < 0.3 ? `${sequence(depth)}|${sequence(depth)}` : sequence(depth);
  const text = () => Array.from({ length: Math.floor(random() * 9) }, () => pick(['a', 'b', 'c', '1', '\n'])).join('');
  const texts = Array.from({ length: 60 }, text);
  const valid: [string, string][] = [];
  let rejected = 0;
  for (let count = 0; count < 1500; count += 1) {
    const made = pattern(2);
    const from = random() < 0.15 ? `^(?:${made})` : random() < 0.15 ? `(?:${made})$` : made;
    const to = pick(['-', '<\\0>', '<\\1>']);
    if (issuesOf(from, to).length > 0) rejected += 1;
    else valid.push([from, to]);
  }
  expect(valid.length).toBeGreaterThan(300);
  expect(rejected).toBeGreaterThan(300);
  for (let at = 0; at < valid.length; at += 100) await onBoth(texts, valid.slice(at, at + 100));
});
