import { defineResources } from '../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  secrets: ['master-secret'],
  sendsTo: ['deliveries'],
  settings: ['ALLOWED_PRIVATE_CIDRS'],
});
