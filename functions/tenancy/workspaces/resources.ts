import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  indexes: ['byCollection'],
  secrets: ['master-secret'],
  objects: { read: ['results'] },
  sendsTo: ['jobs', 'mails'],
  settings: ['DELETION_GRACE_DAYS', 'MAIL_FROM', 'PASSWORD_COST', 'PUBLIC_URL'],
});
