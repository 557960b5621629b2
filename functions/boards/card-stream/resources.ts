import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  // 200 cards, eight at a time, each until its own timeout: some eleven minutes at worst. The gateway lets a stream
  // last for 15.
  timeoutSeconds: 15 * 60,
  streams: true,
  table: 'readWrite',
  secrets: ['master-secret'],
  objects: { read: ['catalogues', 'datasets', 'results'], write: ['results'] },
  invokes: ['engine', 'join-sides'],
  settings: ['ALLOWED_PRIVATE_CIDRS'],
});
