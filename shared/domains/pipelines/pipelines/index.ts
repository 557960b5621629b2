/** The public API of this domain; everything else is internal. */
export { advanceBackfill } from './backfills/advance-backfill.ts';
export {
  BACKFILL_CHECK_PARTITION,
  backfillDays,
  claimBackfill,
  createBackfillRuns,
  MAX_QUEUED,
  runsOf,
  type StoredBackfill,
  startBackfillRuns,
} from './backfills/backfill.ts';
export { cancelBackfill } from './backfills/cancel-backfill.ts';
export { type CheckDeps, checkDefinition, definitionChecks, validDefinition } from './check-definition.ts';
export { type ColumnParsers, findColumnIssues } from './definition/column-issues.ts';
export { type CompiledStep, compileStep } from './definition/compile-step.ts';
export {
  bytesOf,
  COMPUTE_SIZES,
  type ComputeSize,
  chooseCompute,
  DEFAULT_COMPUTE,
  DEFAULT_SIZE,
  distinctOutputs,
  type ExtraEngine,
  extraEngines,
  isSameCompute,
  type StepCompute,
} from './definition/compute.ts';
export {
  type DatasetConfig,
  datasetReadBy,
  EXTRACT_CONFIGS,
  type ExtractConfig,
  type Incremental,
  readsArrivedFiles,
  readsDataset,
  readsStream,
  type StreamConfig,
} from './definition/configs/extract.ts';
export { Gate, GateList, gatesOf, testOf } from './definition/configs/gates.ts';
export {
  type AnyLoadConfig,
  isFolderPath,
  LOAD_CONFIGS,
  type LoadConfig,
  type LoadFilesConfig,
  type LoadTableConfig,
} from './definition/configs/load.ts';
export { portsOf, RouteConfig } from './definition/configs/route.ts';
export { TransformCodeConfig } from './definition/configs/transform-code.ts';
export { recipeOf, TRANSFORM_SQL_CONFIGS } from './definition/configs/transform-sql.ts';
export { Concurrency, Dag, ForEach, STEP_TYPES, Step, type StepType, TRIGGERS, Trigger } from './definition/dag.ts';
export { type Describe, dagLineage, type StepLineage } from './definition/dag-lineage.ts';
export { loadsDownstreamOf } from './definition/extract-loads.ts';
export { fileTriggerOf, fileWatchItems, watchesOf } from './definition/file-watches.ts';
export { isRefreshed } from './definition/full-refresh.ts';
export { fusionOf, materializeOf, type WrittenReason } from './definition/fusion.ts';
export { nodeInputs } from './definition/node-inputs.ts';
export { resolveParameters } from './definition/parameters.ts';
export { copyPlaceOf, pipelineCopy } from './definition/pipeline-copy.ts';
export { itemsOf, type Node, type Plan, type Successor, successorOf } from './definition/plan.ts';
export { athenaStep, isShared, type PortableStep } from './definition/portable-step.ts';
export { readsOfDag, readsOfStep } from './definition/reads-of-dag.ts';
export { fillTemplate, type ParameterValue, type ReferenceValues, sampleValues } from './definition/references.ts';
export { isRetriedAfterCrash, type StepErrorCode } from './definition/retry.ts';
export { secretNamesOf, secretsOf } from './definition/secret-references.ts';
export type { ExtractColumns } from './definition/source-columns.ts';
export { sourcesOf } from './definition/source-references.ts';
export { inputsOf, portOf, timeoutMsOf, timeoutSecondsOf } from './definition/step-configs.ts';
export { findExpressionIssues } from './definition/text-check.ts';
export { loadedDatasets } from './definition/touched-tables.ts';
export {
  type ColumnsAnswer,
  type ColumnsRequest,
  type DefinitionEngine,
  type DefinitionRequest,
  definitionEngine,
  type LineageAnswer,
  type LineageRequest,
  type PortableAnswer,
  type PortableRequest,
} from './definition-engine.ts';
export { type Admission, changeAdmission, NEW_ADMISSION, readAdmission } from './runs/admission.ts';
export { checkAllowance, checkStart } from './runs/allowance.ts';
export type { EndedAttempt, StepResult } from './runs/attempt-end.ts';
export { awaitContainer } from './runs/await-container.ts';
export { beginAttempt } from './runs/begin-attempt.ts';
export { cancelRun, forceCancel } from './runs/cancel-run.ts';
export { type CodeCall, codeCallOf } from './runs/code-call.ts';
export { createRun } from './runs/create-run.ts';
export { endRun } from './runs/end-run.ts';
export { type FailedAttempt, failAttempt } from './runs/fail-attempt.ts';
export { columnsOf, type FusedRows, fusedRowsOf, type RunParts } from './runs/fused-rows.ts';
export { type LastInputs, lastColumnsOf, lastInputsOf } from './runs/last-outputs.ts';
export { type Loss, MAX_LOST_STARTS, recordLostStart } from './runs/lost-start.ts';
export { OCCASION_RETENTION_SECONDS, type RunRequest } from './runs/new-run.ts';
export { valuesOfNode } from './runs/node-values.ts';
export { openSlots } from './runs/open-slots.ts';
export { release } from './runs/release.ts';
export { releaseAll, repairRun } from './runs/repair-run.ts';
export { retryRun } from './runs/retry-run.ts';
export { rowsAtPort } from './runs/rows-at-port.ts';
export { settleAttempts } from './runs/settle.ts';
export { assertMaySeeRows, type ShownRowsDeps, tablesHiddenInSteps } from './runs/shown-rows.ts';
export { startRun } from './runs/start-run.ts';
export { fenceItem } from './runs/step-items.ts';
export { listStepRuns, viewRunWithSteps } from './runs/step-pages.ts';
export { isQueued, keepSlot, launchSteps, leaveSlot } from './runs/step-queue.ts';
export { stopRun } from './runs/stop-run.ts';
export { toPipeline, toRun } from './runs/views.ts';
export { type DagStore, dagStore } from './store/dag-store.ts';
export {
  downstreamItems,
  holdUpstreamEnds,
  isUpstreamEndWaiting,
  postponeUpstreamEnd,
  removeStartedUpstreamEnd,
  removeUpstreamEnd,
  UPSTREAM_END_PARTITION,
  type UpstreamEnd,
  upstreamEndOf,
  upstreamOccasion,
} from './store/downstream.ts';
export { extractSchemaItem, extractSubject, readExtractSchema, readKnownColumns } from './store/extract-schemas.ts';
export { GATE_DAYS, GateEvaluation, GateHealth, readEvaluations, readGateHealth } from './store/gate-results.ts';
export { launcher, type MachineArns, type RunJob, type StepJob } from './store/launcher.ts';
export { openRunContext } from './store/open-run-context.ts';
export { Compute, PIPELINE_STATUSES, Pipeline, type StoredPipeline } from './store/pipeline-record.ts';
export { nextRunAt, pipelineRepository } from './store/pipeline-store.ts';
export { type PipelineUsage, readMonth, usageCounters } from './store/read-usage.ts';
export { findReferringPipelines } from './store/referrers.ts';
export { eventItem, isOfNextAttempt, type NumberedEvent, readEvents } from './store/run-events.ts';
export {
  admissionKey,
  attemptPrefix,
  queuedKey,
  RUN_CHECK_SHARDS,
  runKey,
  SCHEDULE_SHARDS,
  STAGING_PREFIX,
  stepKey,
} from './store/run-keys.ts';
export { RUN_STATUSES, Run, type StoredRun } from './store/run-record.ts';
export {
  LEASE_MS,
  planOf,
  type RunContext,
  readNodes,
  readRunAndNode,
  readSteps,
  reserveEvents,
  runRepository,
} from './store/run-store.ts';
export { RunWithSteps } from './store/run-with-steps.ts';
export { START_LIMITS, type StartLimits, startLimitsFrom } from './store/start-limit-settings.ts';
export { LOG_LEVELS, type LogLevel, readStepLog, StepLog } from './store/step-logs.ts';
export type { FusedOutput, Increment, PortOutput, StepOutput } from './store/step-output.ts';
export { isOver, STEP_STATUSES, type StepError, StepRunPage, type StoredStep } from './store/step-record.ts';
export { holdSlot } from './store/step-slots.ts';
export { readTriggers, recordTrigger, rejectionOf, startedWith, TriggerRecord } from './store/trigger-records.ts';
export {
  incrementsOf,
  isOvertaken,
  loadKeyOf,
  maxWatermarkItems,
  readWatermark,
  watermarkItems,
} from './store/watermarks.ts';
export { type WebhookTokens, webhookTokens, workspaceOf } from './store/webhook-token.ts';
export { type WorkMessage, type WorkQueue, workQueue } from './store/work-queue.ts';
export {
  addFiles,
  type BatchFile,
  claimDueBatch,
  dropFileBatches,
  FILE_BATCH_PARTITION,
  type Place,
  postponeFileBatch,
  readFileBatches,
} from './triggers/file-batch-store.ts';
export { startsBeforeNextTick } from './triggers/starts-before-next-tick.ts';
export { readTriggerInput, type TriggerInput } from './triggers/trigger-input.ts';
export { type NextInput, nextInput, readWaitingInputs, type WaitingInputs } from './triggers/waiting-inputs.ts';
