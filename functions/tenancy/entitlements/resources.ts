import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  secrets: ['master-secret'],
  settings: ['LICENCE_PUBLIC_KEYS'],
});
