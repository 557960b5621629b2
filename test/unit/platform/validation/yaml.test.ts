import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readYaml, writeYaml, YamlError } from '../../../../shared/platform/validation/yaml.ts';

/** Texts that YAML could take for something else. */
const HOSTILE = [
  '',
  ' ',
  'yes',
  'null',
  '~',
  '1:30',
  '0x1f',
  '1e3',
  '-',
  '- a',
  'a: b',
  '#',
  'a #b',
  '|',
  '>',
  '&a',
  '*a',
  '!x',
  '%',
  '@',
];

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('\n', '\r', '\t', ' ', 'a', '#', ':', '-', '"', "'", '\u0085', '\u2028', '\ufeff'),
  }),
  fc.constantFrom(...HOSTILE),
);

const value = fc.letrec((tie) => ({
  leaf: fc.oneof(
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
    fc.boolean(),
    fc.constant(null),
  ),
  node: fc.oneof(
    { depthSize: 'small' },
    tie('leaf'),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(
      text.filter((name) => name !== '__proto__'),
      tie('node'),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
})).node as fc.Arbitrary<unknown>;

describe('a YAML document', () => {
  it('has the value that was written', () => {
    fc.assert(
      fc.property(value, (written) => {
        const document = { written };
        const yaml = writeYaml(document);
        expect(readYaml(yaml).value).toEqual(document);
        expect(writeYaml(readYaml(yaml).value as object)).toBe(yaml);
      }),
      { numRuns: 500 },
    );
  });

  it('knows where each member and item begins', () => {
    const { positionOf } = readYaml('# comment\na:\n  - b: 1\n    "c/d": |-\n      x\n  - { e: [1, 22] }\n');
    const places = ['/a', '/a/0', '/a/0/b', '/a/0/c~1d', '/a/1/e', '/a/1/e/1', '/a/1/missing', '/a/7', '/nothing'];
    expect(places.map((pointer) => `${positionOf(pointer).line}:${positionOf(pointer).column}`)).toEqual([
      '2:1',
      '3:5',
      '3:5',
      '4:6',
      '6:7',
      '6:14',
      '6:5',
      '2:1',
      '2:1',
    ]);
  });

  it.each([
    ['a: &x 1', 'Anchors', 5],
    ['a: *x', 'Aliases', 5],
    ['a: !!str 1', 'Tags', 4],
    ['a: 1\na: 2', 'duplicated', 1],
    ['a: 1\n---\nb: 2', 'several documents', 1],
    ['# nothing', 'empty', 1],
    ['__proto__: 1', '__proto__', 1],
    ['? [a]\n: 1', 'name must be a text', 3],
    ['a: "\\uD800"', 'valid Unicode', 5],
    ['['.repeat(100), 'maxDepth', 32],
  ])('is plain data alone: %j', (yaml, message, column) => {
    expect(() => readYaml(yaml)).toThrow(YamlError);
    expect(() => readYaml(yaml)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(message),
        position: expect.objectContaining({ column }),
      }),
    );
  });
});
