/** The public API of this domain; everything else is internal. */
export {
  addFiles,
  type BatchFile,
  claimDueBatch,
  dropFileBatches,
  FILE_BATCH_PARTITION,
  type Place,
  postponeFileBatch,
  readFileBatches,
} from './file-batch-store.ts';
export { startsBeforeNextTick } from './starts-before-next-tick.ts';
export {
  type InputClaim,
  readTriggerInput,
  type StoredTriggerInput,
  type TriggerInput,
  triggerInputItem,
} from './trigger-input.ts';
export { type NextInput, nextInput, readWaitingInputs, type WaitingInputs } from './waiting-inputs.ts';
