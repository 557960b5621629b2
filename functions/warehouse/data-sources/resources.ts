import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  indexes: ['byCollection'],
  secrets: ['master-secret'],
  objects: {
    read: ['catalogues', 'definitions', 'uploads'],
    // A presigned upload has the rights of the function that signed it.
    write: ['staging', 'uploads'],
    abortUploads: ['uploads'],
    remove: ['catalogues', 'staging', 'uploads'],
  },
  sendsTo: ['jobs'],
  invokes: ['engine'],
  settings: ['ALLOWED_PRIVATE_CIDRS'],
});
