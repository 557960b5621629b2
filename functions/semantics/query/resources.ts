import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  secrets: ['master-secret'],
  objects: { read: ['datasets', 'results'], write: ['results'] },
  sendsTo: ['jobs'],
  invokes: ['engine'],
  settings: ['ALLOWED_PRIVATE_CIDRS'],
});
