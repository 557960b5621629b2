import { defineResources } from '../resources.ts';

export const resources = defineResources({
  table: 'read',
  secrets: ['master-secret'],
});
