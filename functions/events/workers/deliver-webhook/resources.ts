import { defineWorker } from '../../../resources.ts';

/**
 * A delivery record names its sender, so a second sender is harmless, and messages of a killed sender are received
 * again soon.
 */
const lane = { batchSize: 10, visibilitySeconds: 25 };

export const worker = defineWorker({
  name: 'deliver-webhook',
  description: 'Sends deliveries to webhooks.',
  memoryMb: 256,
  // A message received in the fifth second (`slow-receivers.ts`) may wait for a permit, and then has ten seconds for
  // its request.
  timeoutSeconds: 22,
  table: 'readWrite',
  indexes: ['byDue'],
  secrets: ['master-secret'],
  sendsTo: ['deliveries', 'slow-deliveries'],
  // A request may take ten seconds and blocks its batch, so deliveries to slow receivers have a queue of their own.
  consumes: [
    { ...lane, name: 'deliveries', maxConcurrency: 40 },
    { ...lane, name: 'slow-deliveries', maxConcurrency: 10, sharesDeadLettersOf: 'deliveries' },
  ],
  returnsMessages: true,
  chainsEnd:
    'A delivery is sent again for its next attempt, of which it has five, or to wait for others to the same receiver, which take seconds. A replay sends its next page only after a full one.',
  settings: ['ALLOWED_PRIVATE_CIDRS', 'WEBHOOK_BACKOFF_SECONDS'],
  variables: { WEBHOOK_TIMEOUT_MS: '10000' },
  everyMinute: 'Resumes webhook deliveries whose queue message was lost.',
  alarmsOnErrors: true,
});
