import * as Type from 'typebox';
import { expect, it } from 'vitest';
import { shapeIssues } from '../../../../shared/platform/validation/shape-issues.ts';

const Names = Type.Object({ names: Type.Array(Type.String(), { maxItems: 1000, uniqueItems: true }) });
const Numbers = Type.Object({ numbers: Type.Array(Type.Number(), { maxItems: 300 }) });

it('reports a list of a megabyte of the same item without minutes of work', () => {
  const startedAt = process.cpuUsage();
  for (const item of [0, '', [], {}]) {
    const issues = shapeIssues(Names, { names: Array(500_000).fill(item) }, '/config');
    expect(issues[0]!.pointer).toMatch(/^\/config\/names/);
  }
  expect(process.cpuUsage(startedAt).user / 1e6).toBeLessThan(10);
});

it('accepts repeated items where they are allowed, and rejects too many of them', () => {
  expect(shapeIssues(Numbers, { numbers: Array(300).fill(1) }, '')).toEqual([]);
  expect(shapeIssues(Numbers, { numbers: Array(301).fill(1) }, '')).toMatchObject([{ pointer: '/numbers' }]);
});

it('reports the issues beside a list of repeated items', () => {
  const schema = Type.Object({ numbers: Numbers.properties.numbers, name: Type.String() });
  expect(shapeIssues(schema, { numbers: Array(300).fill(1), name: 1 }, '')).toMatchObject([
    { pointer: '/name', code: 'TYPE' },
  ]);
});
