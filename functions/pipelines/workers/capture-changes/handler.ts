import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import {
  CAPTURE_TIMEOUTS,
  type CaptureContext,
  type CaptureMessage,
  captureQueue,
  captureTurn,
  connectForCapture,
  pollingReader,
} from '../../../../shared/domains/pipelines/cdc/index.ts';
import { MasterSecret, parameterReader } from '../../../../shared/platform/crypto/master-secret.ts';
import { secretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { guardFromEnvironment } from '../../../../shared/platform/net/guard-from-environment.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';

/** After this time the stream continues with another message, so that no stream occupies a worker for long. */
const TURN_MS = 45_000;
const BUSY_RETRY_SECONDS = 2;
const WAIT_SECONDS = 1;

const log = createLogger('capture-changes');
const table = openTable(environment('TABLE_NAME'));
const queue = captureQueue(environment('CAPTURE_QUEUE_URL'));
const options = { guard: guardFromEnvironment(), timeouts: CAPTURE_TIMEOUTS };
const context: CaptureContext = {
  table,
  objects: objectStore(environment('DATA_BUCKET')),
  secrets: secretBox(new MasterSecret(parameterReader(environment('MASTER_SECRET_PARAMETER')))),
  options,
  openReader: async (target, slotName) => pollingReader(await connectForCapture(target, options), slotName),
  isContinuous: false,
  now: table.now,
  report: (message, details) => log.error(message, { ...details }),
};

/** Driven by the capture queue. The tick requests turns at intervals; a change of a stream requests one at once. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const failed: string[] = [];
  for (const { messageId, body } of event.Records) {
    const message = JSON.parse(body) as CaptureMessage;
    log.appendKeys({ workspaceId: message.workspaceId, cdcStreamId: message.id });
    try {
      await turn(message);
    } catch (error) {
      log.error('a capture failed unexpectedly', { error: error as Error });
      failed.push(messageId);
    }
  }
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

async function turn(message: CaptureMessage): Promise<void> {
  const outcome = await captureTurn(context, message, new Date(Date.now() + TURN_MS));
  if (outcome === 'more') await queue.send([{ message, delaySeconds: WAIT_SECONDS }]);
  const { tries = 0 } = message;
  if (outcome === 'busy' && tries > 0) {
    await queue.send([{ message: { ...message, tries: tries - 1 }, delaySeconds: BUSY_RETRY_SECONDS }]);
  }
}
