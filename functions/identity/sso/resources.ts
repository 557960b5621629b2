import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  secrets: ['master-secret'],
  settings: ['ALLOWED_PRIVATE_CIDRS', 'PUBLIC_URL', 'SSO_DNS_SERVER', 'SSO_RETURN_URLS'],
});
