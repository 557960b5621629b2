import type { CheckDeps, DefinitionEngine } from '../../../../shared/domains/pipelines/checks/index.ts';
import type { Dag, StepLineage } from '../../../../shared/domains/pipelines/definition/index.ts';
import {
  type DagStore,
  readSteps,
  runRepository,
  type StoredRun,
  type StoredStep,
} from '../../../../shared/domains/pipelines/store/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { lineageGraph } from './graph.ts';
import type { Lineage } from './schemas.ts';

interface Deps {
  table: Table;
  dags: DagStore;
  pipelines: CheckDeps['pipelines'];
  engine: Pick<DefinitionEngine, 'lineage'>;
}

/** The origin of each column in the saved definition, and what the last finished run showed. */
export async function readLineage(deps: Deps, query: { workspaceId: string; id: string }): Promise<Lineage> {
  const { workspaceId, id: pipelineId } = query;
  const pipeline = await deps.pipelines.get(workspaceId, pipelineId);
  if (!pipeline) throw new AppError('PIPELINE_NOT_FOUND');
  const dag = await deps.dags.get(workspaceId, pipeline.dagHash);
  const last = await lastRun(deps.table, workspaceId, pipelineId);
  const seen = columnsOf(last?.steps ?? []);
  const known = Object.fromEntries(
    [...seen].filter(([seenId]) => dag.steps.some(({ id, type }) => id === seenId && type === 'extract')),
  );
  const steps = await deps.engine.lineage({ dag, columns: known });
  return {
    pipelineId,
    dagHash: pipeline.dagHash,
    ...lineageGraph(dag, steps),
    observed: last ? observed(last, dag, steps, seen) : null,
  };
}

interface LastRun {
  run: StoredRun;
  steps: StoredStep[];
}

async function lastRun(table: Table, workspaceId: string, pipelineId: string): Promise<LastRun | undefined> {
  const { items } = await runRepository(table).list(workspaceId, { limit: 10, offset: 0 }, pipelineId);
  const run = items.find(({ finishedAt, startedAt }) => startedAt && finishedAt);
  if (!run) return undefined;
  const nodes = await readSteps(table, workspaceId, run.id);
  return { run, steps: nodes.filter(({ kind, status }) => kind === 'step' && status === 'succeeded') };
}

/** The columns by step; of several items those of the first. */
function columnsOf(steps: readonly StoredStep[]) {
  return new Map(steps.flatMap(({ stepId, output }) => (output ? [[stepId, output.columns] as const] : [])).reverse());
}

function observed(
  { run, steps }: LastRun,
  dag: Dag,
  lineages: readonly StepLineage[],
  schemas: ReturnType<typeof columnsOf>,
): Lineage['observed'] {
  const rowCounts = new Map<string, number>();
  for (const { stepId, rowsOut = 0 } of steps) rowCounts.set(stepId, (rowCounts.get(stepId) ?? 0) + rowsOut);
  const driftFromStatic = lineages.flatMap(({ stepId, columns }) => {
    const shown = schemas.get(stepId)?.map(({ name }) => name);
    if (!columns || !shown || dag.steps.find(({ id }) => id === stepId)?.type === 'load') return [];
    const names = columns.map(({ name }) => name);
    const added = shown.filter((name) => !names.includes(name));
    const removed = names.filter((name) => !shown.includes(name));
    return added.length + removed.length > 0 ? [{ stepId, added, removed }] : [];
  });
  const { id: runId, finishedAt } = run;
  return {
    runId,
    finishedAt,
    schemas: Object.fromEntries(schemas),
    rowCounts: Object.fromEntries(rowCounts),
    driftFromStatic,
  };
}
