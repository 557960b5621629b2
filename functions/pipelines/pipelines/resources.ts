import { defineResources } from '../../resources.ts';

export const resources = defineResources({
  table: 'readWrite',
  indexes: ['byCollection'],
  secrets: ['master-secret'],
  objects: { read: ['catalogues', 'definitions', 'staging'], write: ['definitions'] },
  sendsTo: ['work', 'captures'],
  invokes: ['engine'],
  startsMachines: ['run'],
  describesMachines: ['run', 'step'],
  settings: [
    'ALLOWED_PRIVATE_CIDRS',
    'EXTRA_ENGINES',
    'PIPELINE_STARTS_PER_MINUTE',
    'PUBLIC_URL',
    'WORKSPACE_STARTS_PER_MINUTE',
  ],
});
