import { defineWorker } from '../../../resources.ts';

export const worker = defineWorker({
  name: 'send-to-targets',
  description: 'Sends alerts, and scheduled dashboards and reports, to webhooks and chat channels.',
  memoryMb: 256,
  timeoutSeconds: 30,
  table: 'readWrite',
  secrets: ['master-secret'],
  // A presigned link has the rights of the function that signed it.
  objects: { read: ['results'] },
  sendsTo: ['targets'],
  consumes: [{ name: 'targets', batchSize: 5, maxConcurrency: 5 }],
  chainsEnd: 'A target gets at most five requests of a run, with hours in between at most.',
  settings: ['ALLOWED_PRIVATE_CIDRS', 'WEBHOOK_BACKOFF_SECONDS'],
  variables: { TARGET_TIMEOUT_MS: '10000' },
});
