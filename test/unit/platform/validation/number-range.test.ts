import { expect, it } from 'vitest';
import { numberOutOfRange } from '../../../../shared/platform/validation/number-range.ts';

const placeIn = (text: string) => numberOutOfRange(text, JSON.parse(text));

it.each([
  ['{"a":[0,{"b/c":1e400}]}', '/a/1/b~1c'],
  ['{"a":-1e300}', '/a'],
  ['{"a":1E126}', '/a'],
  [`{"a":1${'0'.repeat(126)}}`, '/a'],
  ['[1e-131]', '/0'],
  [`{"a":0.${'0'.repeat(130)}1}`, '/a'],
  ['1e999', ''],
])('finds the number of %s that the table cannot store', (text, place) => {
  expect(placeIn(text)).toBe(place);
});

it.each([
  '{"a":9007199254740993,"b":1e21,"c":-1e125,"d":1e-130}',
  '{"a":0,"b":-0,"c":0e999}',
  `{"a":"1e400","b":"${'9'.repeat(200)}","c":0.${'0'.repeat(99)}1}`,
])('takes what the table stores: %s', (text) => {
  expect(placeIn(text)).toBeUndefined();
});
