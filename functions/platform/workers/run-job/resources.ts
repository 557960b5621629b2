import { defineWorker } from '../../../resources.ts';

export const worker = defineWorker({
  name: 'run-job',
  description:
    'Refreshes datasets, reads catalogs of data sources, profiles tables, runs long queries, exports workspaces and dashboards, embeds the names of objects.',
  memoryMb: 4096,
  timeoutSeconds: 15 * 60,
  scratchMb: 10_240,
  hasDuckDb: true,
  alarmsOnErrors: true,
  table: 'readWrite',
  indexes: ['byCollection'],
  secrets: ['master-secret'],
  objects: {
    read: ['catalogues', 'changes', 'datasets', 'definitions', 'quality', 'results', 'uploads', 'vectors'],
    write: ['catalogues', 'changes', 'datasets', 'quality', 'results', 'vectors'],
    abortUploads: ['datasets', 'results'],
    remove: ['catalogues', 'changes', 'quality', 'results', 'vectors'],
  },
  invokes: ['ask-model', 'engine', 'join-sides'],
  sendsTo: ['jobs'],
  consumes: [{ name: 'jobs', batchSize: 1, maxConcurrency: 20 }],
  chainsEnd:
    'A job has a limited number of attempts, and continues only after results that it does not compute again. An instant of a schedule waits a limited number of times.',
  settings: ['AI_BASE_URL', 'AI_EMBEDDING_MODEL', 'AI_MODEL', 'AI_PROVIDER', 'ALLOWED_PRIVATE_CIDRS'],
});
