/** The public API of this domain; everything else is internal. */
export {
  type Admission,
  assignSlots,
  type BackfillLane,
  changeAdmission,
  latestRunsOf,
  NEW_ADMISSION,
  readAdmission,
  releaseSlot,
} from './admission.ts';
export { checkAllowance, checkStart } from './allowance.ts';
export type { EndedAttempt, StepResult } from './attempt-end.ts';
export { awaitContainer } from './await-container.ts';
export { beginAttempt } from './begin-attempt.ts';
export { cancelRun, cancelUnlessOver, forceCancel } from './cancel-run.ts';
export { type CodeCall, codeCallOf } from './code-call.ts';
export { createRun } from './create-run.ts';
export { announceEnds, endRun, startPromoted } from './end-run.ts';
export { type FailedAttempt, failAttempt } from './fail-attempt.ts';
export { type EndedPipeline, pipelineCleanUps, RUN_FAILED_TEXTS } from './failure-notices.ts';
export { columnsOf, type FusedRows, fusedRowsOf, type RunParts } from './fused-rows.ts';
export { type LastInputs, lastColumnsOf, lastInputsOf } from './last-outputs.ts';
export { type Loss, MAX_LOST_STARTS, recordLostStart } from './lost-start.ts';
export { newRun, OCCASION_RETENTION_SECONDS, type RunRequest } from './new-run.ts';
export { forEachValuesOf, valuesOfNode } from './node-values.ts';
export { openSlots } from './open-slots.ts';
export { release } from './release.ts';
export { releaseAll, repairRun } from './repair-run.ts';
export { retryRun } from './retry-run.ts';
export { rowsAtPort } from './rows-at-port.ts';
export { settleAttempts } from './settle.ts';
export { type ShownErrors, type ShownErrorsDeps, showErrors } from './show-errors.ts';
export { assertMaySeeRows, type ShownRowsDeps, tablesHiddenInSteps } from './shown-rows.ts';
export { startRun } from './start-run.ts';
export { fenceItem } from './step-items.ts';
export { listStepRuns, viewRunWithSteps } from './step-pages.ts';
export { isQueued, keepSlot, launchSteps, leaveSlot } from './step-queue.ts';
export { stopRun } from './stop-run.ts';
export { toPipeline, toRun } from './views.ts';
