import type { Dag } from '../../../pipelines/definition/index.ts';
import { applyEdit, type Edit, liveMeasures, type ModelDefinition } from '../../../semantics/models/index.ts';
import { columnsOfExtract, loadsInto } from '../columns/pipeline-parts.ts';
import type { Sight } from '../kinds.ts';
import type { LineageRef } from '../types.ts';
import { brokenParts } from './broken-parts.ts';
import type { DescribeRemoval } from './refuse-breaking.ts';

export const removalOf =
  (start: LineageRef): DescribeRemoval =>
  async () => ({ start, parts: 'all' });

/**
 * What an edit of a model takes away: fields and measures that are gone, fail or have other types then, and joins.
 * Throws what the rule throws.
 */
export function partsLostByEdit(modelId: string, rule: (definition: ModelDefinition) => Edit): DescribeRemoval {
  return async ({ parts }) => {
    const before = await parts.model(modelId);
    if (!before) return undefined;
    const edited = applyEdit(before, rule(before));
    const [had, has] = [partsOf(before), partsOf(edited)];
    const gone = [...had.keys()].filter((id) => !has.has(id));
    const isRetyped = [...has].some(([id, dataType]) => had.has(id) && had.get(id) !== dataType);
    const known = brokenParts(before);
    const isFailing = [...brokenParts(edited)].some((id) => !known.has(id));
    if (gone.length === 0 && !isFailing && !isRetyped && !isLessJoined(before, edited)) return undefined;
    return { start: { type: 'model', id: modelId }, parts: gone, edited };
  };
}

/** The data types of fields and measures. */
const partsOf = (definition: ModelDefinition): Map<string, string | null> =>
  new Map([...definition.fields.values(), ...liveMeasures(definition)].map(({ id, dataType }) => [id, dataType]));

const isLessJoined = (before: ModelDefinition, after: ModelDefinition): boolean =>
  [...before.tables.keys()].some((id) => !after.tables.has(id)) ||
  [...before.relationships.keys()].some((id) => !after.relationships.has(id));

/** The columns that a dataset loses if it gets other rows. */
export function columnsLostByContent(datasetId: string, columns: readonly { name: string }[]): DescribeRemoval {
  return async ({ parts }) => {
    const current = (await parts.datasets()).get(datasetId);
    return current && columnsLost({ type: 'dataset', id: datasetId }, current.columns, columns);
  };
}

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

/** The columns that the loads of a pipeline do not write any more with another definition, and the loads that end. */
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
    const start = { type: 'pipeline', id: pipelineId } as const;
    const lost = columnsLost(
      start,
      both.flatMap(([, columns]) => columns),
      both.flatMap(([place]) => after.get(place)!),
    );
    const stopped = [...(await sight.parts.datasets()).values()].flatMap((dataset) =>
      loadsInto(next, dataset).length > 0 ? [] : loadsInto(saved, dataset).map(({ stepId }) => stepId),
    );
    return stopped.length > 0 ? { start, parts: lost?.parts ?? [], stopped } : lost;
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
