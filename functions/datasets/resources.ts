import { defineResources } from '../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  secrets: ['master-secret'],
  objects: { read: ['datasets', 'definitions'], write: ['datasets'] },
  sendsTo: ['jobs'],
  invokes: ['engine'],
});
