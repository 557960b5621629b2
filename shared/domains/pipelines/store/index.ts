/** The public API of this domain; everything else is internal. */
export { type DagStore, dagStore, readInlineDag } from './dag-store.ts';
export {
  downstreamItems,
  downstreamOf,
  holdUpstreamEnds,
  isUpstreamEndWaiting,
  MAX_DOWNSTREAM,
  oldestUpstreamEnd,
  postponeUpstreamEnd,
  removeUpstreamEnd,
  UPSTREAM_END_PARTITION,
  type UpstreamEnd,
  upstreamEndClaim,
  upstreamEndItem,
  upstreamEndOf,
  upstreamEndsOf,
  upstreamOccasion,
} from './downstream.ts';
export { extractSchemaItem, extractSubject, readExtractSchema, readKnownColumns } from './extract-schemas.ts';
export { GATE_DAYS, GateEvaluation, GateHealth, gateItems, readEvaluations, readGateHealth } from './gate-results.ts';
export { executionOf, launcher, type MachineArns, type RunJob, type StepJob } from './launcher.ts';
export { openRunContext } from './open-run-context.ts';
export { Compute, FailureRecipients, PIPELINE_STATUSES, Pipeline, type StoredPipeline } from './pipeline-record.ts';
export { nextRunAt, pipelineRepository } from './pipeline-store.ts';
export { PIPELINE_SUBJECT } from './pipeline-subject.ts';
export { type PipelineUsage, readMonth, usageCounters } from './read-usage.ts';
export { findReferringPipelines } from './referrers.ts';
export { endEvents, eventItem, isOfNextAttempt, type NumberedEvent, type RunEvent, readEvents } from './run-events.ts';
export {
  admissionKey,
  attemptPrefix,
  occasionKey,
  queuedKey,
  RUN_CHECK_SHARDS,
  runKey,
  SCHEDULE_SHARDS,
  STAGING_PREFIX,
  stepKey,
  stepQueueKey,
  stepSlotsKey,
} from './run-keys.ts';
export { oldestRunEntry, readRunEntries, removeRunEntryItems, runEntryItems } from './run-list.ts';
export {
  MAX_RUN_MS,
  RUN_STATUSES,
  Run,
  type RunError,
  type RunTrigger,
  type StoredRun,
  TRIGGER_KINDS,
} from './run-record.ts';
export {
  CHECK_AFTER_MS,
  LEASE_MS,
  nextCheckOf,
  planOf,
  type RunContext,
  readNodes,
  readRunAndNode,
  readSteps,
  reserveEvents,
  runRepository,
} from './run-store.ts';
export { RunWithSteps } from './run-with-steps.ts';
export { START_LIMITS, type StartLimits, startLimitsFrom } from './start-limit-settings.ts';
export { countStart, rateLimited, startLimitsOf } from './start-limits.ts';
export { keptLog, LOG_LEVELS, type LogLevel, readStepLog, StepLog } from './step-logs.ts';
export type { FusedOutput, Increment, PortOutput, StepOutput } from './step-output.ts';
export {
  isOver,
  STEP_STATUSES,
  type StepError,
  type StepRun,
  StepRunPage,
  type StepState,
  type StepStatus,
  type StoredStep,
} from './step-record.ts';
export {
  freeSlot,
  holdSlot,
  queueAttributeOf,
  readSlots,
  STEP_LIMITS,
  type StepSlots,
  takeSlot,
} from './step-slots.ts';
export {
  readTriggers,
  recordTrigger,
  rejectionOf,
  startedWith,
  TriggerRecord,
  triggerRecord,
} from './trigger-records.ts';
export { type AttemptUsage, type Sink, usageItems } from './usage.ts';
export {
  incrementsOf,
  isOvertaken,
  loadKeyOf,
  maxWatermarkItems,
  readWatermark,
  watermarkItems,
} from './watermarks.ts';
export { type WebhookTokens, webhookTokens, workspaceOf } from './webhook-token.ts';
export { type WorkMessage, type WorkQueue, workQueue } from './work-queue.ts';
