import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { announcementItem, endFollows, type NotificationKind } from '../../delivery/notifications/index.ts';
import { readWorkspace } from '../../tenancy/workspaces/index.ts';
import { pipelineRepository, type RunError, type StoredRun } from '../store/index.ts';

const RUN_FAILED = {
  name: 'run-failed',
  phrase: 'had a failed run',
  mail: 'urgent',
} as const satisfies NotificationKind;

const NOBODY = { userIds: [], apiUrl: '' };

/**
 * For the transaction that ends an attempt of a run as failed: the tick then notifies the people whom the pipeline
 * or its workspace names. `error` is shown to all of them, so it must not quote rows.
 */
export async function failureNotices(
  table: Table,
  { workspaceId, pipelineId, id: runId, attempt }: StoredRun,
  error: RunError | null,
  at: Date,
): Promise<TransactItem[]> {
  const pipeline = await pipelineRepository(table).get(workspaceId, pipelineId);
  if (!pipeline) return [];
  // Those of the pipeline, or else of the workspace.
  const own = pipeline.failureMail?.userIds.length ? pipeline.failureMail : undefined;
  const { userIds, apiUrl } = own ?? (await readWorkspace(table, workspaceId))?.failureMail ?? NOBODY;
  if (userIds.length === 0) return [];
  return [
    announcementItem(table, {
      workspaceId,
      // A retried run can fail again.
      cause: { id: `run-failed ${runId} ${attempt}`, at: at.toISOString() },
      subject: { type: 'pipeline', id: pipelineId },
      partId: runId,
      actorId: null,
      title: 'A run has failed',
      text: textOf(error),
      apiUrl,
      audiences: [{ kind: RUN_FAILED, userIds }],
    }),
  ];
}

function textOf(error: RunError | null): string {
  if (!error) return 'No step has reported an error; see the events of the run.';
  const { code, message, stepId } = error;
  return `${stepId ? `Step ${stepId}: ` : ''}${message} (${code})`;
}

/** A deleted pipeline. */
export type EndedPipeline = { kind: 'pipeline'; workspaceId: string; pipelineId: string };

export const pipelineCleanUps: readonly [CleanUp<EndedPipeline>] = [
  {
    kind: 'pipeline',
    remove: (table, { workspaceId, pipelineId }, isOver) =>
      endFollows(table, { workspaceId, type: 'pipeline', id: pipelineId }, isOver),
  },
];
