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
  chainsEnd:
    'A message of a schedule or a file batch is sent again only until its instant, and a freed slot wakes its waiting inputs once. Each end of a run starts the pipelines that follow it, and pipelines cannot follow each other in a circle.',
  startsMachines: ['run', 'step'],
  settings: ['PIPELINE_STARTS_PER_MINUTE', 'WORKSPACE_STARTS_PER_MINUTE'],
});
