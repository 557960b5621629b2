import { defineWorker } from '../../../resources.ts';

export const worker = defineWorker({
  name: 'run-lifecycle',
  description: 'Starts and closes pipeline runs.',
  memoryMb: 512,
  timeoutSeconds: 5 * 60,
  table: 'readWrite',
  objects: { read: ['definitions'], remove: ['uploads'] },
  sendsTo: ['work'],
  consumes: [{ name: 'work', batchSize: 10, maxConcurrency: 20 }],
  startsMachines: ['run', 'step'],
  returnsTaskTokens: true,
  settings: ['PIPELINE_STARTS_PER_MINUTE', 'WORKSPACE_STARTS_PER_MINUTE'],
});
