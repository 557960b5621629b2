import { expect, it } from 'vitest';
import { mappedClaims } from '../../../../functions/identity/sso/mapped-claims.ts';
import { attributeValue, scimAttributes } from '../../../../shared/domains/identity/mapped-attributes/index.ts';

const texts = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`);

it.each<[unknown, unknown]>([
  ['x', 'x'],
  [7, '7'],
  [false, 'false'],
  [
    ['a', 'b', 'a'],
    ['a', 'b'],
  ],
  [texts(10_000), texts(10_000)],
  ['', undefined],
  [null, undefined],
  [{ a: 1 }, undefined],
  [[], undefined],
  ['x'.repeat(257), undefined],
  // A list with less in it could show more rows.
  [['a', 'x'.repeat(257)], undefined],
  [['a', { b: 1 }], undefined],
  [texts(10_001), undefined],
])('a value that an attribute cannot hold is none: %#', (value, expected) => {
  expect(attributeValue(value)).toEqual(expected);
});

it('reads only what a resource and claims have themselves', () => {
  const mappings = [{ path: 'x', place: { name: 'constructor' }, attribute: 'x' }];
  expect(scimAttributes(mappings, {})).toEqual({});
  expect(mappedClaims(['toString', 'a', 'a'], { a: ['1'] })).toEqual({ a: ['1'] });
});
