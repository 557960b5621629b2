import type { BoundParameter } from '../../../shared/data/duckdb/parameters.ts';
import type { ComputedRows, TableInput } from '../../../shared/domains/engine/index.ts';
import {
  type Dag,
  type ForEach,
  itemsOf,
  type ParameterValue,
  type ReferenceValues,
} from '../../../shared/domains/pipelines/definition/index.ts';
import {
  columnsOf,
  type FusedRows,
  fusedRowsOf,
  type LastInputs,
  type RunParts,
} from '../../../shared/domains/pipelines/runs/index.ts';
import type { DagStore, StoredRun } from '../../../shared/domains/pipelines/store/index.ts';
import { readTriggerInput } from '../../../shared/domains/pipelines/triggers/index.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';

/**
 * The values of references for a trial on the outputs of a run: those of the run, defaults for parameters that it
 * lacks, and the first item of the given blocks.
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

/**
 * The rows that a step would read as tables of the engine: the union by name of all items, as in the run. Rows that the
 * run has not stored are computed again.
 */
export async function tablesOf(
  { table, dags }: { table: Table; dags: DagStore },
  { run, nodes, inputs }: LastInputs,
): Promise<TableInput[]> {
  const [dag, input] = await Promise.all([
    dags.get(run.workspaceId, run.dagHash),
    readTriggerInput(table, run.workspaceId, run.id),
  ]);
  return tablesFrom({ run, dag, input, nodes }, inputs);
}

const tablesFrom = (parts: RunParts, inputs: LastInputs['inputs']): TableInput[] =>
  Object.entries(inputs).map(([name, outputs]) => {
    const fused = outputs.find((output) => output.fused)?.fused;
    const columns = columnsOf(outputs);
    if (!fused) return { name, columns, files: outputs.flatMap(({ files }) => files) };
    return { name, columns, files: [], computed: computedBy(parts, fusedRowsOf(parts, fused.index)) };
  });

function computedBy(parts: RunParts, { compiled, inputs }: FusedRows): ComputedRows {
  const { params, ...statement } = compiled;
  return { ...statement, params: params.map(toWireValue), tables: tablesFrom(parts, inputs) };
}

/** Bound values are texts, numbers and lists of them; a bigint, which JSON cannot hold, is sent as text. */
export function toWireValue(value: unknown): BoundParameter {
  return typeof value === 'bigint' ? { type: 'integer', text: String(value) } : (value as BoundParameter);
}
