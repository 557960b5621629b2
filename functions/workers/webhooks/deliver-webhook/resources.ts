import { defineWorker } from '../../../resources.ts';

/** A delivery record names its sender, so a second sender does no harm, and the messages of a killed one come back soon. */
const lane = { batchSize: 10, visibilitySeconds: 25 };

export const worker = defineWorker({
  name: 'deliver-webhook',
  description: 'Sends webhook deliveries.',
  memoryMb: 256,
  // A message taken in the fifth second (`meanwhile.ts`) may wait for a permit, and then has ten seconds for its answer.
  timeoutSeconds: 22,
  table: 'readWrite',
  secrets: ['master-secret'],
  sendsTo: ['deliveries', 'slow-deliveries'],
  // A request may take ten seconds and keeps its batch waiting; deliveries to slow receivers wait in a queue of their own.
  consumes: [
    { ...lane, name: 'deliveries', maxConcurrency: 40 },
    { ...lane, name: 'slow-deliveries', maxConcurrency: 10, sharesDeadLettersOf: 'deliveries' },
  ],
  chainsEnd:
    'A delivery is sent again for its next attempt, of which it has five, or to wait for others to the same receiver, which take seconds. A replay sends its next page only after a full one.',
  settings: ['ALLOWED_PRIVATE_CIDRS', 'WEBHOOK_BACKOFF_SECONDS'],
  variables: { WEBHOOK_TIMEOUT_MS: '10000' },
  everyMinute: 'Resumes webhook deliveries whose queue message was lost.',
  alarmsOnErrors: true,
});
