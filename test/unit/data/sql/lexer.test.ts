import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokens } from '../../../../shared/data/sql/lexer.ts';

const kinds = (sql: string) =>
  [...tokens(sql)].filter(({ kind }) => kind !== 'space').map(({ kind, start, end }) => [kind, sql.slice(start, end)]);

describe('the lexer', () => {
  it.each([
    [
      `a."b""c".'d''e'`,
      [
        ['word', 'a'],
        ['symbol', '.'],
        ['identifier', '"b""c"'],
        ['symbol', '.'],
        ['string', "'d''e'"],
      ],
    ],
    [
      "E'a\\'b' e'' x'00'",
      [
        ['string', "E'a\\'b'"],
        ['string', "e''"],
        ['string', "x'00'"],
      ],
    ],
    [
      "'a\\' b",
      [
        ['string', "'a\\'"],
        ['word', 'b'],
      ],
    ],
    [
      '$$a$b$$ $t$ $$ $t$ a$1 $1 $x',
      [
        ['string', '$$a$b$$'],
        ['string', '$t$ $$ $t$'],
        ['word', 'a$1'],
        ['parameter', '$1'],
        ['parameter', '$x'],
      ],
    ],
    [
      '1-- x\n2',
      [
        ['number', '1'],
        ['comment', '-- x'],
        ['number', '2'],
      ],
    ],
    [
      '/* a /* b */ c */d',
      [
        ['comment', '/* a /* b */ c */'],
        ['word', 'd'],
      ],
    ],
    [
      '1.5e-3 .5 1_000 é',
      [
        ['number', '1.5e-3'],
        ['number', '.5'],
        ['number', '1_000'],
        ['word', 'é'],
      ],
    ],
  ])('splits %s', (sql, expected) => {
    expect(kinds(sql)).toEqual(expected);
  });

  it('covers every text without a gap', () => {
    const text = fc.string({ unit: fc.constantFrom(...`'"$/*-\\{}eE aé1.\n;x`) });
    fc.assert(
      fc.property(text, (sql) => {
        expect([...tokens(sql)].map(({ start, end }) => sql.slice(start, end)).join('')).toBe(sql);
      }),
    );
  });
});
