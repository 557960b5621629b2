import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsPattern } from '../../../../shared/data/files/path-pattern.ts';

describe('fitsPattern', () => {
  it.each([
    ['a.csv', 'a.csv', true],
    ['a.csv', 'b.csv', false],
    ['a.csv', '*.csv', true],
    ['.csv', '*.csv', true],
    ['in/a.csv', '*.csv', false],
    ['in/a.csv', 'in/*.csv', true],
    ['in/2026/a.csv', 'in/*.csv', false],
    ['in/2026/a.csv', 'in/**/*.csv', true],
    ['in/a.csv', 'in/**/*.csv', true],
    ['a.csv', '**', true],
    ['x/y/a.csv', '**', true],
    ['x/y/a.csv', '**/a.csv', true],
    ['x/y/b.csv', '**/a.csv', false],
    ['x/b/y/a', '**/b/**/a', true],
    ['x/b/y/b/a', '**/b/a', true],
    ['a1.csv', 'a?.csv', true],
    ['a12.csv', 'a?.csv', false],
    ['a/.csv', 'a?.csv', false],
    ['😀.csv', '?.csv', true],
    ['a[1]{b}+(c)!.csv', 'a[1]{b}+(c)!.csv', true],
    ['a1.csv', 'a[1].csv', false],
    ['a\\b', 'a\\b', true],
    ['', '**', true],
    ['a', '', false],
    ['ab', 'a**b', true],
    ['a/b', 'a**b', false],
  ])('%j, %j: %j', (path, pattern, expected) => {
    expect(fitsPattern(path, pattern)).toBe(expected);
  });

  it('agrees with the plain definition on everything small', () => {
    const plain = (path: string[], pattern: string[]): boolean => {
      const [sign, ...signs] = pattern;
      const [name, ...names] = path;
      if (sign === undefined) return name === undefined;
      if (sign === '**') return plain(path, signs) || (name !== undefined && plain(names, pattern));
      const folder = new RegExp(`^${sign.replaceAll('*', '.*').replaceAll('?', '.')}$`);
      return name !== undefined && folder.test(name) && plain(names, signs);
    };
    const text = (signs: string[]) => fc.array(fc.constantFrom(...signs), { maxLength: 7 }).map((all) => all.join(''));
    fc.assert(
      fc.property(text(['a', 'b', '/']), text(['a', '*', '?', '/', '**/']), (path, pattern) => {
        expect(fitsPattern(path, pattern)).toBe(plain(path.split('/'), pattern.split('/')));
      }),
      { numRuns: 3000 },
    );
  });

  it('takes no time over a pattern that is made to', () => {
    const start = performance.now();
    expect(fitsPattern('a'.repeat(900), `${'*a'.repeat(500)}b`)).toBe(false);
    expect(fitsPattern('a/'.repeat(450), `${'**/a/'.repeat(200)}b`)).toBe(false);
    expect(performance.now() - start).toBeLessThan(500);
  });
});
