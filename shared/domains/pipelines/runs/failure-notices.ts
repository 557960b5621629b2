import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import {
  announcementItem,
  endFollows,
  type NotificationKind,
  type NotificationTexts,
} from '../../delivery/notifications/index.ts';
import { rightsDeps } from '../../semantics/row-rights/index.ts';
import { readWorkspace } from '../../tenancy/workspaces/index.ts';
import { datasetRepository } from '../../warehouse/datasets/index.ts';
import { pipelineRepository, type RunError, readInlineDag, runRepository, type StoredRun } from '../store/index.ts';
import { tablesHiddenInSteps } from './shown-rows.ts';

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

/** In place of a text that may quote rows, also where it is not known what the run has read. */
const HIDDEN_TEXT =
  'The error message is not shown, because it may quote rows that row-level security or sensitivity labels hide from you.';

/** The text was written for everyone, but policies may have been added since. */
export const RUN_FAILED_TEXTS: NotificationTexts = {
  kinds: [RUN_FAILED.name],
  async read(table, reader, notifications) {
    const deps = { rights: rightsDeps(table, table.now), datasets: datasetRepository(table) };
    const runs = runRepository(table);
    const seesRun = async (runId: string): Promise<boolean> => {
      const run = await runs.get(reader.workspaceId, runId);
      const dag = run && (await readInlineDag(table, reader.workspaceId, run.dagHash));
      return dag !== undefined && (await tablesHiddenInSteps(deps, reader, [dag])).length === 0;
    };
    const seen = new Map<string, Promise<boolean>>();
    const texts = notifications.map(async ({ id, partId, text }) => {
      if (text === null) return [];
      const sees = seen.get(partId ?? '') ?? (partId === null ? Promise.resolve(false) : seesRun(partId));
      seen.set(partId ?? '', sees);
      return [[id, (await sees) ? text : HIDDEN_TEXT] as const];
    });
    return new Map((await Promise.all(texts)).flat());
  },
};

/** A deleted pipeline. */
export type EndedPipeline = { kind: 'pipeline'; workspaceId: string; pipelineId: string };

export const pipelineCleanUps: readonly [CleanUp<EndedPipeline>] = [
  {
    kind: 'pipeline',
    remove: (table, { workspaceId, pipelineId }, isOver) =>
      endFollows(table, { workspaceId, type: 'pipeline', id: pipelineId }, isOver),
  },
];
