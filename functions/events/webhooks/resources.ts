import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  indexes: ['byCollection'],
  secrets: ['master-secret'],
  sendsTo: ['deliveries'],
  settings: ['ALLOWED_PRIVATE_CIDRS'],
});
