import type { Dag } from '../../../pipelines/definition/index.ts';
import { columnsOfExtract } from '../columns/pipeline-parts.ts';
import type { Sight } from '../kinds.ts';
import type { LineageRef } from '../types.ts';
import type { DescribeRemoval } from './refuse-breaking.ts';

export const removalOf =
  (start: LineageRef): DescribeRemoval =>
  async () => ({ start, parts: 'all' });

/** The columns that a dataset loses with its next refresh if it is computed by another statement. */
export function columnsLostByStatement(datasetId: string, sql: string): DescribeRemoval {
  return async ({ parts }) => {
    const datasets = await parts.datasets();
    const current = datasets.get(datasetId);
    if (!current) return undefined;
    const text = sql.toLowerCase();
    const mayRead = [...datasets.values()].filter(({ name }) =>
      text.includes(name.toLowerCase().replaceAll('"', '""')),
    );
    const analysis = await parts.analyse({ sql, tables: mayRead.map(({ name, columns }) => ({ name, columns })) });
    // A statement that fails keeps the rows of the dataset as they are.
    if (!analysis) return undefined;
    return columnsLost({ type: 'dataset', id: datasetId }, current.columns, analysis.columns);
  };
}

/** The columns that the loads of a pipeline do not write any more with another definition. */
export function columnsLostByDag(pipelineId: string, next: Dag): DescribeRemoval {
  return async (sight) => {
    const saved = (await sight.parts.dags()).get(pipelineId);
    if (!saved) return undefined;
    const [before, after] = await Promise.all([
      loadedColumns(sight, pipelineId, saved),
      loadedColumns(sight, pipelineId, next),
    ]);
    // Without its step, a dataset is not loaded any more, but keeps its columns.
    const both = [...before].filter(([place]) => after.has(place));
    return columnsLost(
      { type: 'pipeline', id: pipelineId },
      both.flatMap(([, columns]) => columns),
      both.flatMap(([place]) => after.get(place)!),
    );
  };
}

function columnsLost(start: LineageRef, before: readonly { name: string }[], after: readonly { name: string }[]) {
  const left = new Set(after.map(({ name }) => name.toLowerCase()));
  const lost = before.filter(({ name }) => !left.has(name.toLowerCase()));
  return lost.length > 0 ? { start, parts: lost.map(({ name }) => name) } : undefined;
}

/** The columns of each load by its step and target, as far as they are known before a run. */
async function loadedColumns(sight: Sight, pipelineId: string, dag: Dag): Promise<Map<string, { name: string }[]>> {
  const known = new Map(
    await Promise.all(
      dag.steps
        .filter(({ type }) => type === 'extract')
        .map(async (step) => [step.id, await columnsOfExtract(sight, pipelineId, step)] as const),
    ),
  );
  const found = [...known].flatMap(([id, columns]) => (columns ? [[id, columns] as const] : []));
  const lineages = new Map((await sight.parts.stepLineages(dag, new Map(found))).map((each) => [each.stepId, each]));
  return new Map(
    dag.steps.flatMap(({ id, type, config }) => {
      const columns = type === 'load' ? lineages.get(id)?.columns : null;
      return columns
        ? [[JSON.stringify([id, config.target]), columns.map(({ name }) => ({ name: `${id}.${name}` }))]]
        : [];
    }),
  );
}
