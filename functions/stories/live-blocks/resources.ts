import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  secrets: ['master-secret'],
  objects: { read: ['catalogues', 'datasets', 'results'], write: ['results'] },
  invokes: ['engine', 'join-sides'],
  settings: ['ALLOWED_PRIVATE_CIDRS'],
});
