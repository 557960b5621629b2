import type { BoundParameter } from '../../shared/data/duckdb/parameters.ts';
import { unionColumns } from '../../shared/data/tables/column-union.ts';
import type { TableInput } from '../../shared/domains/engine/index.ts';
import {
  type Dag,
  type ForEach,
  itemsOf,
  type LastInputs,
  type ParameterValue,
  type ReferenceValues,
  readTriggerInput,
  type StoredRun,
} from '../../shared/domains/pipelines/index.ts';
import type { Table } from '../../shared/platform/storage/table.ts';

/**
 * The values of references for a trial on the outputs of a run: those of the run, defaults for parameters that it lacks,
 * and the first item of the given blocks.
 */
export async function valuesOfRun(
  table: Table,
  dag: Dag,
  blocks: readonly ForEach[],
  run: StoredRun,
): Promise<ReferenceValues> {
  const input = await readTriggerInput(table, run.workspaceId, run.id);
  const params = Object.fromEntries(
    (dag.parameters ?? []).map(({ name, default: fallback }) => [
      name,
      (Object.hasOwn(run.parameters, name) ? run.parameters[name] : undefined) ??
        (fallback as ParameterValue | undefined) ??
        null,
    ]),
  );
  const { id, logicalDate, intervalStart, intervalEnd } = run;
  return {
    params,
    run: { id, logicalDate, intervalStart, intervalEnd },
    forEach: Object.fromEntries(blocks.map((block) => [block.id, { item: itemsOf(block, params)[0] ?? '', index: 0 }])),
    trigger: {
      body: input.body ?? null,
      files: input.files?.map(({ path }) => path) ?? null,
      upstreamRunId: run.trigger.upstreamRunId,
    },
  };
}

/** The outputs of a run as tables of the engine: the union by name of all items, as in the run. */
export const tablesOf = (inputs: LastInputs['inputs']): TableInput[] =>
  Object.entries(inputs).map(([name, outputs]) => ({
    name,
    columns: outputs.map(({ columns }) => columns).reduce((met, next) => unionColumns(met, next, 'as_text').columns),
    files: outputs.flatMap(({ files }) => files),
  }));

/** Bound values are texts, numbers and lists of them; a bigint, which JSON cannot hold, is sent as text. */
export function toWireValue(value: unknown): BoundParameter {
  return typeof value === 'bigint' ? { type: 'integer', text: String(value) } : (value as BoundParameter);
}
