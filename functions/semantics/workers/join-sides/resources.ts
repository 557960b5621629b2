import { defineWorker } from '../../../resources.ts';

/** Runs statements that the platform has compiled, over datasets and at data sources, for one blend at a time. */
export const worker = defineWorker({
  name: 'join-sides',
  description: 'Reads the rows of two sides of a blend and joins them.',
  memoryMb: 2048,
  timeoutSeconds: 28,
  scratchMb: 2048,
  hasDuckDb: true,
  alarmsOnErrors: true,
  table: 'read',
  secrets: ['master-secret'],
  objects: { read: ['datasets'] },
  settings: ['ALLOWED_PRIVATE_CIDRS'],
});
