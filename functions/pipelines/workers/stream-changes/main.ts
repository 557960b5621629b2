import {
  CAPTURE_TIMEOUTS,
  type CaptureContext,
  streamingReader,
} from '../../../../shared/domains/pipelines/cdc/index.ts';
import { MasterSecret, parameterReader } from '../../../../shared/platform/crypto/master-secret.ts';
import { secretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { guardFromEnvironment } from '../../../../shared/platform/net/guard-from-environment.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';
import { followStreams } from './follow-streams.ts';

/** The container of the capture stack; it runs until it receives SIGTERM. */
const log = createLogger('stream-changes');
const guard = guardFromEnvironment();
const table = openTable(environment('TABLE_NAME'));
const context: CaptureContext = {
  table,
  objects: objectStore(environment('DATA_BUCKET')),
  secrets: secretBox(new MasterSecret(parameterReader(environment('MASTER_SECRET_PARAMETER')))),
  options: { guard, timeouts: CAPTURE_TIMEOUTS },
  openReader: (target, slotName) => streamingReader(target, slotName, guard),
  isContinuous: true,
  now: table.now,
  report: (message, details) => log.error(message, { ...details }),
};

const ending = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => ending.abort());
await followStreams(context, ending.signal);
