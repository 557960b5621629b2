import { defineWorker } from '../../../resources.ts';

/**
 * Runs SQL of users with access to objects and results only. It handles one statement at a time and ends its process
 * over a runaway statement.
 */
export const worker = defineWorker({
  name: 'engine',
  description: 'Checks and runs read-only SQL over datasets and files.',
  memoryMb: 2048,
  timeoutSeconds: 28,
  scratchMb: 3072,
  hasDuckDb: true,
  alarmsOnErrors: true,
  objects: { read: ['datasets', 'staging', 'uploads', 'results'], write: ['results'] },
});
