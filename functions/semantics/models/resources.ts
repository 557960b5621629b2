import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  indexes: ['byCollection'],
  secrets: ['master-secret'],
  objects: { read: ['catalogues', 'definitions'] },
  invokes: ['ask-model', 'engine'],
});
