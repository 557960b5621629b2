import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  secrets: ['master-secret'],
  sendsTo: ['mails'],
  settings: ['MAIL_FROM', 'PASSKEY_ORIGINS', 'PASSKEY_RP_ID', 'PASSWORD_COST', 'PUBLIC_URL'],
});
