import { defineResources } from '../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  secrets: ['master-secret'],
  settings: ['PASSWORD_COST', 'PUBLIC_URL'],
});
