import { defineResources } from '../../resources.ts';

/** The engine finds the tables that SQL reads; blends come with what reads charts. */
export const resources = defineResources({
  table: 'readWrite',
  indexes: ['byCollection'],
  secrets: ['master-secret'],
  objects: { read: ['catalogues'] },
  invokes: ['engine', 'join-sides'],
  sendsTo: ['reports'],
  settings: ['ALLOWED_PRIVATE_CIDRS', 'MAIL_FROM', 'PUBLIC_URL'],
});
