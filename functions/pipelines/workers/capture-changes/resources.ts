import { defineWorker } from '../../../resources.ts';

/** Each message is one turn of a stream. A transaction of any size is captured as a whole. */
export const worker = defineWorker({
  name: 'capture-changes',
  description: 'Captures the changes of Postgres sources.',
  memoryMb: 1024,
  timeoutSeconds: 15 * 60,
  table: 'readWrite',
  secrets: ['master-secret'],
  objects: { read: ['catalogues', 'changes'], write: ['changes'], remove: ['changes'] },
  sendsTo: ['captures'],
  consumes: [{ name: 'captures', batchSize: 1, maxConcurrency: 20 }],
  chainsEnd:
    'The next turn of a stream is sent only while its source has more changes, and a turn that meets a busy stream only as often as `tries` says.',
  settings: ['ALLOWED_PRIVATE_CIDRS'],
});
