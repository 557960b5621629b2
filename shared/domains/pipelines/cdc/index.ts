/** The public API of this domain; everything else is internal. */
export { type CaptureContext, captureTurn } from './capture-stream.ts';
export { changeLog } from './change-log.ts';
export { CAPTURE_TIMEOUTS, connectForCapture, targetOf } from './connect.ts';
export { maintainStream } from './maintain-stream.ts';
export { MAINTENANCE_SHARDS, maintenanceShard } from './maintenance.ts';
export { pollingReader } from './polling-reader.ts';
export { preflightIssues } from './preflight.ts';
export { type CaptureMessage, type CaptureQueue, captureQueue, requestCapture } from './queue.ts';
export { LogCompacted, readChanges } from './read-changes.ts';
export {
  CDC_COLUMNS,
  CDC_STREAM_STATUSES,
  CdcStream,
  CreateCdcStream,
  DEFAULT_WAL_LIMIT_BYTES,
  qualified,
  ResyncCdcStream,
  type StoredStream,
  UpdateCdcStream,
} from './record.ts';
export { CAPTURE_SHARDS, captureShard, type StreamRepository, slotNameOf, streamRepository } from './repository.ts';
export { type CaptureState, type CaptureStates, captureStates, type TableState } from './state.ts';
export { streamCopy } from './stream-copy.ts';
export { streamingReader } from './streaming-reader.ts';
export { toCdcStream } from './view.ts';
