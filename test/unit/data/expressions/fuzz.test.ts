import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze, emit, fromStored, toStored } from '../../../../shared/data/expressions/index.ts';
import { Diagnostics } from '../../../../shared/data/expressions/language/diagnostics.ts';
import { parse } from '../../../../shared/data/expressions/language/parser.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { print, RandomExpressions } from './random-expressions.ts';
import { columnOf, SCOPE } from './scope-of-data.ts';

const PIECES =
  `( ) , + - * / = <> < >= AND OR NOT IN BETWEEN IS NULL CASE WHEN THEN ELSE END IF FILTER WHERE SUM COUNT DATE_TRUNC ROUND TOTAL
  [data.qty] [qty] [region] [nope] [a.b.c] ["x].y"] {Revenue} {Nope} 1 2.5 1e3 'x' "y" 'open DATE '2024-01-01' user . attr ; [ ] { } $1 😀`.split(
    /\s+/,
  );

const withoutSpans = (node: unknown) =>
  JSON.parse(
    JSON.stringify(node, (key, value) => (key === 'from' || key === 'to' || key === 'nameSpan' ? undefined : value)),
  );

describe('random texts', () => {
  const texts = fc.oneof(
    fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join(' ')),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary', maxLength: 100 }),
  );

  it('never throw, and every issue has a place in the text', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom('measure', 'row', 'policy'), (text, purpose) => {
        const { ok, diagnostics, valid } = analyze(text, SCOPE, { purpose });
        for (const { from, to, message } of diagnostics) {
          if (!(from >= 0 && from <= to && to <= text.length)) throw new Error(`${from} to ${to}`);
          if (!/^[^a-z].*\.$/su.test(message)) throw new Error(message);
        }
        expect(ok).toBe(!diagnostics.some(({ severity }) => severity === 'error'));
        if (valid) emit(valid.tree, { dialect: 'postgres', columnOf, now: new Date(0) });
        expect(fromStored(toStored(text, SCOPE), SCOPE)).toBe(text);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('random valid expressions', () => {
  const random = new RandomExpressions(seededRandom(7));

  it('are valid, and have the same tree when they are printed and read again', () => {
    for (let run = 0; run < 400; run += 1) {
      const text = random.any(4);
      const { diagnostics } = analyze(text, SCOPE, { purpose: 'row' });
      expect(
        diagnostics.filter(({ severity }) => severity === 'error'),
        text,
      ).toEqual([]);
      const tree = parse(text, new Diagnostics());
      const again = parse(print(tree), new Diagnostics());
      expect(withoutSpans(again), text).toEqual(withoutSpans(tree));
    }
  });
});
