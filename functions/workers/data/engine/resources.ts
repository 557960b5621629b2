import { defineWorker } from '../../../resources.ts';

/**
 * Runs SQL of users: it reads objects and writes results, and reaches nothing else. It handles one statement at a time and ends itself
 * over a runaway.
 */
export const worker = defineWorker({
  name: 'engine',
  description: 'Checks and runs read-only SQL over datasets and files.',
  memoryMb: 2048,
  timeoutSeconds: 28,
  scratchMb: 2048,
  hasDuckDb: true,
  alarmsOnErrors: true,
  objects: { read: ['datasets', 'staging', 'uploads'], write: ['results'] },
});
