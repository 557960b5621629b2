import { defineResources } from '../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  secrets: ['master-secret'],
  settings: ['PUBLIC_URL'],
});
