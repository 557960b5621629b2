import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  indexes: ['byCollection'],
  secrets: ['master-secret'],
  objects: { read: ['catalogues', 'datasets', 'results'], write: ['results'] },
  invokes: ['engine', 'join-sides'],
  sendsTo: ['alerts'],
  settings: ['ALLOWED_PRIVATE_CIDRS', 'PUBLIC_URL'],
});
