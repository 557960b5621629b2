import { defineWorker } from '../../../resources.ts';

export const worker = defineWorker({
  name: 'send-reports',
  description: 'Prepares the emails of metric digests and dashboards, and checks metrics for unusual values.',
  memoryMb: 1024,
  timeoutSeconds: 300,
  table: 'readWrite',
  indexes: ['byCollection'],
  secrets: ['master-secret'],
  objects: { read: ['catalogues', 'datasets', 'results'], write: ['results'] },
  invokes: ['engine', 'join-sides'],
  sendsTo: ['mails', 'reports', 'targets'],
  consumes: [{ name: 'reports', batchSize: 1, maxConcurrency: 5 }],
  chainsEnd:
    'A run has a limited number of recipients and targets, and each message writes the emails of some of them.',
  settings: ['ALLOWED_PRIVATE_CIDRS', 'MAIL_FROM'],
  alarmsOnErrors: true,
});
