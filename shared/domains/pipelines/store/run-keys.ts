import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';

/** The keys of everything that pipelines store; `shared/platform/storage/README.md` lists their access patterns. */
const padded = (number: number, digits: number) => String(number).padStart(digits, '0');

export const runKey = (workspaceId: string, runId: string): Key => workspaceKey(workspaceId, `RUN#${runId}`, 'META');

export const stepKey = (workspaceId: string, runId: string, index: number): Key =>
  workspaceKey(workspaceId, `RUN#${runId}`, `STEP#${padded(index, 6)}`);

export const eventKey = (workspaceId: string, runId: string, seq: number): Key =>
  workspaceKey(workspaceId, `RUN#${runId}`, `EVT#${padded(seq, 10)}`);

/** A step in the step queue. */
export const stepQueueKey = (workspaceId: string, runId: string, index: number): Key =>
  workspaceKey(workspaceId, `RUN#${runId}`, `LINE#${padded(index, 6)}`);

/** The step slots of a workspace in use. */
export const stepSlotsKey = (workspaceId: string): Key => workspaceKey(workspaceId, 'STEP-SLOTS', 'IN-USE');

/** The running and waiting runs of a pipeline. */
export const admissionKey = (workspaceId: string, pipelineId: string): Key =>
  workspaceKey(workspaceId, `PIPELINE#${pipelineId}`, 'ADMISSION');

/** The number of runs that users of a workspace started in a minute, such as `2026-01-31T08:00`. */
export const startCountKey = (workspaceId: string, minute: string): Key => workspaceKey(workspaceId, 'STARTS', minute);

/** One item for each occasion, such as an instant of the schedule, which starts at most one run. */
export const occasionKey = (workspaceId: string, pipelineId: string, occasion: string): Key =>
  workspaceKey(workspaceId, `PIPELINE#${pipelineId}`, `OCCASION#${occasion}`);

/** One item for each queued run, the oldest first. */
export const queuedKey = (run: { workspaceId: string; id: string; createdAt: string; queuedAt?: string }): Key =>
  workspaceKey(run.workspaceId, 'QUEUED', `${run.queuedAt ?? run.createdAt}#${run.id}`);

export const dagKey = (workspaceId: string, hash: string): Key => workspaceKey(workspaceId, 'DAG', hash);

export const watermarkKey = (workspaceId: string, pipelineId: string, stepId: string, itemIndex: number | null): Key =>
  workspaceKey(workspaceId, `PIPELINE#${pipelineId}`, `WATERMARK#${stepId}#${itemIndex ?? '-'}`);

export const extractSchemaKey = (
  workspaceId: string,
  pipelineId: string,
  stepId: string,
  itemIndex: number | null,
): Key => workspaceKey(workspaceId, `PIPELINE#${pipelineId}`, `SCHEMA#${stepId}#${itemIndex ?? '-'}`);

/** The partitions of the due index for the next checks of active runs. */
export const RUN_CHECK_SHARDS = 8;
export const runCheckShard = (runId: string): string =>
  `run-check#${Number.parseInt(runId.slice(-2), 16) % RUN_CHECK_SHARDS}`;

export const SCHEDULE_SHARDS = 8;
export const scheduleShard = (pipelineId: string): string =>
  `pipeline-schedule#${Number.parseInt(pipelineId.slice(-2), 16) % SCHEDULE_SHARDS}`;

/** Objects below this prefix expire after 30 days. */
export const STAGING_PREFIX = 'staging/';

/** The prefix of the Parquet files and the log of a step attempt. */
export function attemptPrefix(step: {
  workspaceId: string;
  runId: string;
  stepId: string;
  itemIndex: number | null;
  attempt: number;
}): string {
  return `${STAGING_PREFIX}W/${step.workspaceId}/runs/${step.runId}/${step.stepId}/${step.itemIndex ?? 'all'}/${step.attempt}`;
}
