import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  memoryMb: 256,
  // The longest that the gateway lets a stream last.
  timeoutSeconds: 15 * 60,
  streams: true,
  table: 'read',
  objects: { read: ['definitions'] },
  secrets: ['master-secret'],
});
