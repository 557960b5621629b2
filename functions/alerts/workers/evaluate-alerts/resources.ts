import { defineWorker } from '../../../resources.ts';

export const worker = defineWorker({
  name: 'evaluate-alerts',
  description: 'Evaluates the conditions of alerts, and notifies people of what has changed.',
  memoryMb: 1024,
  timeoutSeconds: 300,
  table: 'readWrite',
  indexes: ['byCollection'],
  secrets: ['master-secret'],
  objects: { read: ['catalogues', 'datasets', 'results'], write: ['results'] },
  invokes: ['engine', 'join-sides'],
  sendsTo: ['alerts', 'targets'],
  consumes: [{ name: 'alerts', batchSize: 1, maxConcurrency: 10 }],
  chainsEnd: 'A message about many alerts is divided once, and fewer of their evaluations are left each time.',
  settings: ['ALLOWED_PRIVATE_CIDRS'],
  alarmsOnErrors: true,
});
