import type { Column } from '../../../../data/duckdb/column-types.ts';
import { type Dag, datasetReadBy, type Step, type StepLineage } from '../../../pipelines/definition/index.ts';
import { readKnownColumns } from '../../../pipelines/store/index.ts';
import type { Sight } from '../kinds.ts';
import type { LineageRef } from '../types.ts';
import { distinctParts, NO_PARTS, type ObjectPart, type ObjectParts, type PartRef, sourceColumn } from './types.ts';

/** The columns that the loads of a pipeline write, and what they are computed from. */
export async function pipelineParts(sight: Sight, pipelineId: string): Promise<ObjectParts> {
  const dag = (await sight.parts.dags()).get(pipelineId);
  if (!dag) return NO_PARTS;
  const extracts = dag.steps.filter(({ type }) => type === 'extract');
  const known = new Map<string, readonly Column[]>();
  for (const step of extracts) {
    const columns = await columnsOfExtract(sight, pipelineId, step);
    if (columns) known.set(step.id, columns);
  }
  return partsOfDag(sight, dag, await sight.parts.stepLineages(dag, known));
}

/** Those of a dataset as they are now; of a source, as the last successful run has read them. */
export async function columnsOfExtract(
  { table, reader, parts }: Pick<Sight, 'table' | 'reader' | 'parts'>,
  pipelineId: string,
  step: Step,
): Promise<readonly Column[] | undefined> {
  const name = datasetReadBy(step);
  if (name !== undefined) return chosen(step, (await parts.datasetNamed(name))?.columns);
  return (await readKnownColumns(table, { workspaceId: reader.workspaceId, pipelineId }, step))[0];
}

function chosen({ config }: Step, columns: readonly Column[] | undefined): readonly Column[] | undefined {
  const wanted = config.columns;
  return Array.isArray(wanted) ? columns?.filter(({ name }) => wanted.includes(name)) : columns;
}

async function partsOfDag(sight: Sight, dag: Dag, lineages: readonly StepLineage[]): Promise<ObjectParts> {
  const byStep = new Map(lineages.map((lineage) => [lineage.stepId, lineage]));
  const steps = new Map(dag.steps.map((step) => [step.id, step]));
  const places = new Map<string, ((column: string) => PartRef) | undefined>();
  for (const step of dag.steps) if (step.type === 'extract') places.set(step.id, await placeOfExtract(sight, step));

  /** Undefined if they cannot be determined. */
  const originsOf = (stepId: string, column: string): PartRef[] | undefined => {
    const step = steps.get(stepId)!;
    if (step.type === 'extract') {
      const place = places.get(stepId);
      return place && [place(column)];
    }
    const field = byStep.get(stepId)?.fields.find((each) => each.column === column);
    if (!field) return undefined;
    const inputs = field.inputs.map((use) => originsOf(use.table, use.column));
    return inputs.every((each) => each !== undefined) ? distinctParts(inputs.flat()) : undefined;
  };

  const parts: ObjectPart[] = [];
  let isComplete = true;
  for (const { id } of dag.steps.filter(({ type }) => type === 'load')) {
    const columns = byStep.get(id)?.columns;
    if (!columns) isComplete = false;
    for (const { name } of columns ?? []) {
      const inputs = originsOf(id, name);
      if (!inputs) isComplete = false;
      parts.push({ id: `${id}.${name}`, name, inputs: inputs ?? [] });
    }
  }
  const deciding = lineages.flatMap(({ indirect }) =>
    indirect.flatMap((use) => originsOf(use.table, use.column) ?? []),
  );
  return { parts, deciding: distinctParts(deciding), unknown: isComplete ? [] : await objectsReadBy(sight, dag) };
}

/** What a column of an extract is a column of; undefined if only a run knows it. */
export async function placeOfExtract(
  { parts }: Pick<Sight, 'parts'>,
  step: Step,
): Promise<((column: string) => PartRef) | undefined> {
  const name = datasetReadBy(step);
  if (name !== undefined) {
    const dataset = await parts.datasetNamed(name);
    return dataset && ((part) => ({ type: 'dataset', id: dataset.id, part }));
  }
  const { sourceId, object } = step.config as { sourceId?: string; object?: Record<string, unknown> };
  if (sourceId === undefined) return undefined;
  const { stream, path, schema, table } = object ?? {};
  if (typeof stream === 'string') {
    const found = (await parts.streams()).find((each) => each.sourceId === sourceId && each.streamId === stream);
    return found && ((part) => ({ type: 'cdc-stream', id: found.id, part }));
  }
  const place = typeof path === 'string' ? [path] : typeof table === 'string' ? [schema as string, table] : undefined;
  return place && ((column) => ({ type: 'source', id: sourceId, part: sourceColumn(place, column) }));
}

async function objectsReadBy({ parts }: Sight, dag: Dag): Promise<LineageRef[]> {
  const refs = await Promise.all(
    dag.steps.map(async (step): Promise<LineageRef[]> => {
      if (step.type !== 'extract') return [];
      const name = datasetReadBy(step);
      const { sourceId } = step.config as { sourceId?: string };
      if (name === undefined) return sourceId === undefined ? [] : [{ type: 'source', id: sourceId }];
      const dataset = await parts.datasetNamed(name);
      return dataset ? [{ type: 'dataset', id: dataset.id }] : [];
    }),
  );
  return refs.flat();
}

/** The loads of a definition that write to the dataset. Those that replace its rows also replace its columns. */
export function loadsInto(
  { steps }: Dag,
  { id, name }: { id: string; name: string },
): { stepId: string; isReplacing: boolean }[] {
  return steps.flatMap(({ id: stepId, type, config }) => {
    const target = (config.target ?? {}) as { kind?: string; name?: string; datasetId?: string };
    const isIt = target.datasetId === id || target.name?.toLowerCase() === name.toLowerCase();
    const isLoad = type === 'load' && target.kind === 'dataset' && isIt;
    return isLoad ? [{ stepId, isReplacing: config.mode === 'overwrite' }] : [];
  });
}
