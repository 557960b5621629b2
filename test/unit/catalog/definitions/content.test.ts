import * as Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { canonical, changesBetween, digestOf } from '../../../../shared/domains/catalog/definitions/index.ts';
import { StrictObject, TaggedUnion } from '../../../../shared/platform/http/schemas.ts';

const schema = Type.Object({
  name: Type.String(),
  folder: Type.String({ default: '' }),
  params: Type.Array(StrictObject({ name: Type.String(), required: Type.Boolean({ default: false }) }), {
    default: [],
  }),
  rule: TaggedUnion('kind', [
    StrictObject({ kind: Type.Literal('a'), limit: Type.Integer({ default: 1 }) }),
    StrictObject({ kind: Type.Literal('b'), limit: Type.Integer({ default: 2 }) }),
  ]),
  labels: Type.Record(Type.String(), Type.String()),
});

describe('the only form of a file', () => {
  it('has members in the order of the schema, without defaults of the variant that applies', () => {
    const file = {
      labels: { b: '2', a: '1' },
      rule: { limit: 1, kind: 'b' },
      params: [{ required: false, name: 'x' }],
      folder: '',
      name: 'Orders',
    };
    const expected = {
      name: 'Orders',
      params: [{ name: 'x' }],
      rule: { kind: 'b', limit: 1 },
      labels: { a: '1', b: '2' },
    };
    expect(JSON.stringify(canonical(schema, file))).toBe(JSON.stringify(expected));
    expect(JSON.stringify(canonical(schema, canonical(schema, file)))).toBe(JSON.stringify(expected));
    const other = canonical(schema, { ...file, rule: { kind: 'b', limit: 2 } });
    expect(other).toMatchObject({ rule: { kind: 'b' } });
    expect(digestOf(other)).not.toBe(digestOf(canonical(schema, file)));
  });
});

describe('the members in which files differ', () => {
  const file = {
    name: 'A',
    schedule: { cron: '1', zone: 'UTC' },
    steps: [
      { id: 'a', sql: '1' },
      { id: 'b', sql: '2' },
    ],
  };

  it.each([
    [file, { added: [], changed: [], removed: [] }],
    [{ ...file, name: 'B' }, { changed: ['name'] }],
    [
      { ...file, schedule: { cron: '2' } },
      { changed: ['schedule.cron'], removed: ['schedule.zone'] },
    ],
    [{ ...file, steps: [file.steps[0], { id: 'b', sql: '3' }] }, { changed: ['steps.b.sql'] }],
    [{ ...file, steps: [...file.steps, { id: 'c', sql: '3' }] }, { added: ['steps.c'] }],
    [{ ...file, steps: file.steps.toReversed() }, { changed: ['steps'] }],
    [{ ...file, steps: ['a'] }, { changed: ['steps'] }],
    [{ ...file, params: [] }, { added: ['params'] }],
  ])('are listed by their paths: %#', (next, changes) => {
    expect(changesBetween(file, next)).toEqual({ added: [], changed: [], removed: [], ...changes });
  });
});
