import { defineResources } from '../../resources.ts';

/** The engine finds the tables that SQL reads. */
export const resources = defineResources({
  table: 'readWrite',
  indexes: ['byCollection'],
  secrets: ['master-secret'],
  objects: { read: ['catalogues'] },
  invokes: ['engine'],
  sendsTo: ['reports'],
  settings: ['ALLOWED_PRIVATE_CIDRS', 'MAIL_FROM', 'PUBLIC_URL'],
});
