import { expect, it } from 'vitest';
import { lineageGraph } from '../../../../functions/pipelines/pipeline-authoring/lineage/graph.ts';
import type { Step } from '../../../../shared/domains/pipelines/definition/dag.ts';

it('gives a source that several steps read the columns of all of them', () => {
  const extract = (id: string): Step => ({
    id,
    type: 'extract',
    config: { sourceId: 'shop', object: { table: 'orders' } },
  });
  const lineage = (stepId: string, ...names: string[]) => ({
    stepId,
    columns: names.map((name) => ({ name, type: 'integer' as const })),
    fields: [],
    indirect: [],
    completeness: 'full' as const,
  });
  const dag = { version: 1 as const, steps: [extract('a'), extract('b')] };
  const { nodes, fields } = lineageGraph(dag, [lineage('a', 'id', 'amount'), lineage('b', 'id', 'note')]);
  const [source, ...others] = nodes.filter(({ kind }) => kind === 'source');
  expect(others).toEqual([]);
  expect(source!.columns!.map(({ name }) => name)).toEqual(['id', 'amount', 'note']);
  const from = fields.flatMap(({ inputs }) => inputs.filter(({ node }) => node === source!.id));
  expect(source!.columns!.map(({ name }) => name)).toEqual(expect.arrayContaining(from.map(({ column }) => column)));
});
