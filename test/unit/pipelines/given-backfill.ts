import {
  backfillDays,
  backfillKey,
  claimBackfill,
  createBackfillRuns,
  type StoredBackfill,
  startBackfillRuns,
} from '../../../shared/domains/pipelines/backfills/backfill.ts';
import type { Concurrency, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import type { Key } from '../../../shared/platform/storage/keys.ts';
import type { RunSetup } from './run-setup.ts';

/** A step that no run takes: what is tried here is which runs there are, and not their work. */
export const LEFT_OUT: Step = {
  id: 'a',
  type: 'transform_sql',
  config: { sql: 'SELECT 1 AS x' },
  when: { param: 'never', op: 'truthy' },
};

/** A backfill of a new pipeline that is not claimed yet. */
export async function givenBackfill(
  setup: RunSetup,
  window: { from: string; to: string },
  concurrency: Partial<Concurrency> = {},
  { steps = [LEFT_OUT], timezone = 'UTC' }: { steps?: Step[]; timezone?: string } = {},
): Promise<StoredBackfill> {
  const pipeline = await setup.pipeline({ version: 1, steps }, concurrency);
  const days = backfillDays(window, timezone, new Date('2026-06-01T12:00:00Z'));
  return {
    id: newId(),
    workspaceId: setup.workspaceId,
    pipelineId: pipeline.id,
    actor: newId(),
    days: days.map(({ date, start, end }) => ({ date, start: start.toISOString(), end: end.toISOString() })),
    parameters: {},
    pipeline,
    createdAt: setup.context.now().toISOString(),
  };
}

export const placeOf = ({ workspaceId, pipelineId, id }: StoredBackfill): Key =>
  backfillKey(workspaceId, pipelineId, id);

/** What a request for a backfill does. */
export async function createBackfill(setup: RunSetup, backfill: StoredBackfill): Promise<void> {
  await claimBackfill(setup.context, backfill);
  await createBackfillRuns(setup.context, backfill);
  await startBackfillRuns(setup.context, backfill);
}

/**
 * What a backfill of two days by the clock of a zone reads of a source by each of some columns: the ids of its rows.
 */
export async function backfilled(
  setup: RunSetup,
  read: { config: object; cursorColumns: readonly string[]; timezone: string },
): Promise<Record<string, unknown>> {
  const steps = read.cursorColumns.flatMap((cursorColumn): Step[] => [
    {
      id: `read_${cursorColumn}`,
      type: 'extract',
      config: { ...read.config, mode: 'incremental', incremental: { cursorColumn } },
      retry: { maxAttempts: 1 },
    },
    {
      id: `keep_${cursorColumn}`,
      type: 'load',
      config: { target: { kind: 'dataset', name: `${read.timezone} by ${cursorColumn}` }, mode: 'append' },
      dependsOn: [`read_${cursorColumn}`],
      retry: { maxAttempts: 1 },
    },
  ]);
  const backfill = await givenBackfill(setup, { from: '2026-01-02', to: '2026-01-03' }, {}, { ...read, steps });
  await createBackfill(setup, backfill);
  await setup.drain();
  const reported = read.cursorColumns.map(async (cursorColumn) => {
    const rows = await setup.rows(`${read.timezone} by ${cursorColumn}`, 'id');
    return [cursorColumn, (rows ?? []).map(([id]) => Number(id))];
  });
  return Object.fromEntries(await Promise.all(reported));
}
