import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  indexes: ['byCollection'],
  secrets: ['master-secret'],
  objects: { read: ['catalogues', 'datasets', 'results'], write: ['results'] },
  invokes: ['engine', 'ask-model', 'join-sides'],
  settings: ['ALLOWED_PRIVATE_CIDRS', 'PASSWORD_COST', 'PUBLIC_URL'],
});
