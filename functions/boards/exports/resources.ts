import { defineResources } from '../../resources.ts';

/** Files are drawn and written by one thread, so a whole processor shortens the wait. */
export const resources = defineResources({
  memoryMb: 1769,
  timeoutSeconds: 29,
  scratchMb: 4096,
  table: 'readWrite',
  secrets: ['master-secret'],
  objects: { read: ['catalogues', 'datasets', 'results'], write: ['results'] },
  sendsTo: ['jobs'],
  invokes: ['engine', 'join-sides'],
  settings: ['ALLOWED_PRIVATE_CIDRS'],
});
