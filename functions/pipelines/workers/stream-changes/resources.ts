import { defineContainer } from '../../../resources.ts';

export const container = defineContainer({
  name: 'stream-changes',
  cpu: 256,
  memoryMb: 1024,
  table: 'readWrite',
  indexes: ['byDue'],
  secrets: ['master-secret'],
  objects: { read: ['catalogues', 'changes'], write: ['changes'], remove: ['changes'] },
  settings: ['ALLOWED_PRIVATE_CIDRS'],
});
