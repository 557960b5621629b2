import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  indexes: ['byCollection'],
  secrets: ['master-secret'],
  settings: ['PUBLIC_URL'],
  objects: { read: ['results'], write: ['results'] },
});
