import { describe, expect, it } from 'vitest';
import { alterationIssue, incompatibility } from '../../../../shared/domains/pipelines/cdc/shape-compatibility.ts';
import type { Shape } from '../../../../shared/domains/pipelines/cdc/table-shape.ts';

const [INT2, INT4, INT8, FLOAT4, FLOAT8, TEXT, CHAR, VARCHAR, NUMERIC, TIMESTAMP, TIMESTAMPTZ, JSON_, JSONB, UUID] = [
  21, 23, 20, 700, 701, 25, 1042, 1043, 1700, 1114, 1184, 114, 3802, 2950,
];
type Type = { oid: number; modifier: number; item?: number };
const type = (oid: number, modifier = -1): Type => ({ oid, modifier });
const list = (item: number): Type => ({ oid: 1, modifier: -1, item });
const numeric = (precision: number, scale: number) => type(NUMERIC, ((precision << 16) | scale) + 4);

const typed = (v: Type): Shape => ({
  columns: [
    { name: 'id', ...type(INT4) },
    { name: 'v', ...v },
  ],
  key: ['id'],
});
const shape = (names: string[], key: string[] | null): Shape => ({
  columns: names.map((name) => ({ name, ...type(INT4) })),
  key,
});

describe('rows of a table of before go with those of now', () => {
  it.for<[string, Type, Type]>([
    ['integers of any size', type(INT2), type(INT8)],
    ['integers of a smaller size, which all fitted', type(INT8), type(INT4)],
    ['integers as decimals', type(INT4), numeric(12, 2)],
    ['integers as texts', type(INT8), type(TEXT)],
    ['texts of another length', type(VARCHAR, 9), type(TEXT)],
    ['what is a text here', type(UUID), type(VARCHAR)],
    ['decimals with more digits', numeric(6, 2), numeric(38, 5)],
    ['decimals without a limit', numeric(20, 2), type(NUMERIC)],
    ['times with more digits', type(TIMESTAMP, 0), type(TIMESTAMP)],
    ['JSON', type(JSON_), type(JSONB)],
    ['lists of such', list(INT4), list(INT8)],
  ])('when their values stay the same: %s', ([, before, now]) => {
    expect(incompatibility('t', typed(before), typed(now))).toBeUndefined();
  });

  it.for<[string, Type, Type]>([
    ['lists as texts', list(INT4), type(TEXT)],
    ['lists of something else', list(INT4), list(JSONB)],
    ['JSON as text', type(JSONB), type(TEXT)],
    ['fewer digits before the point', numeric(38, 0), numeric(38, 20)],
    ['fewer digits behind it', numeric(10, 4), numeric(12, 2)],
    ['decimals as texts, with other zeros', type(NUMERIC), type(TEXT)],
    ['integers of more digits than the decimals have', type(INT8), numeric(12, 2)],
    ['blanks that go', type(CHAR, 9), type(TEXT)],
    ['blanks that come', type(VARCHAR, 9), type(CHAR, 9)],
    ['more blanks', type(CHAR, 5), type(CHAR, 9)],
    ['digits that were invented', type(FLOAT4), type(FLOAT8)],
    ["instants of the server's time zone", type(TIMESTAMP), type(TIMESTAMPTZ)],
    ['fewer digits of times', type(TIMESTAMP), type(TIMESTAMP, 0)],
  ])('but not when the source makes others of them: %s', ([, before, now]) => {
    expect(incompatibility('t', typed(before), typed(now))).toBe('The type of the column "v" of t has changed');
  });

  it.for<[string, Shape, Shape, string | undefined]>([
    ['other columns come and go', shape(['id', 'a'], ['id']), shape(['id', 'b'], ['id']), undefined],
    ['it is spelt otherwise', shape(['id'], ['id']), shape(['ID'], ['ID']), undefined],
    ['whole rows get a key of their columns', shape(['a', 'b'], null), shape(['a', 'b'], ['b']), undefined],
    ['rows without one get a column', shape(['a'], null), shape(['a', 'b'], null), undefined],
    ['it is renamed', shape(['id'], ['id']), shape(['no'], ['no']), 'from "id" to "no"'],
    ['it is another column', shape(['id', 'a'], ['id']), shape(['id', 'a'], ['a']), 'from "id" to "a"'],
    ['it has one column more', shape(['id', 'a'], ['id']), shape(['id', 'a'], ['id', 'a']), 'from "id" to "id", "a"'],
    ['its order is another', shape(['a', 'b'], ['a', 'b']), shape(['a', 'b'], ['b', 'a']), 'from "a", "b" to "b", "a"'],
    ['it is gone', shape(['id'], ['id']), shape(['id'], null), 'from "id" to none'],
    ['whole rows get a column as key', shape(['a'], null), shape(['a', 'id'], ['id']), 'from none to "id"'],
    ['whole rows lose a column', shape(['a', 'b'], null), shape(['a', 'c'], null), 'its column "b" was dropped'],
  ])('by their key, when %s', ([, before, now, issue]) => {
    const expected = issue === undefined ? undefined : expect.stringContaining(issue);
    expect(incompatibility('t', before, now)).toEqual(expected);
  });

  it.for<[string, string[], string[], string | undefined]>([
    ['one is renamed', ['id', 'a', 'b'], ['id', 'c', 'b'], 'The column "a" of t was renamed to "c"'],
    ['one is renamed and one is added', ['id', 'a'], ['id', 'c', 'b'], 'The column "a" of t was renamed to "c"'],
    ['one goes and one comes', ['id', 'a', 'b'], ['id', 'b', 'c'], undefined],
    ['some come', ['id'], ['id', 'a', 'b'], undefined],
    ['some go', ['id', 'a', 'b'], ['id'], undefined],
  ])('by the names of their columns, when %s', ([, before, now, issue]) => {
    expect(alterationIssue('t', shape(before, ['id']), shape(now, ['id']))).toBe(issue);
  });
});
