import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  indexes: ['byCollection'],
  secrets: ['master-secret'],
  objects: { read: ['catalogues', 'datasets', 'results'], write: ['results'] },
  invokes: ['engine', 'ask-model', 'join-sides'],
  settings: ['AI_MODEL', 'ALLOWED_PRIVATE_CIDRS', 'PUBLIC_URL'],
});
