import { defineWorker } from '../../../resources.ts';

/** Erases workspaces and companies whose time has come. Nothing else may read the whole table. */
export const worker = defineWorker({
  name: 'erase-deleted',
  description: 'Erases deleted workspaces and companies.',
  memoryMb: 512,
  timeoutSeconds: 5 * 60,
  table: 'readWrite',
  scansTable: true,
  indexes: ['byCollection', 'byDue'],
  objects: {
    remove: [
      'uploads',
      'catalogues',
      'datasets',
      'definitions',
      'watermarks',
      'changes',
      'quality',
      'vectors',
      'staging',
      'results',
    ],
  },
  everyMinute: 'Erases deleted workspaces and companies.',
  alarmsOnErrors: true,
});
