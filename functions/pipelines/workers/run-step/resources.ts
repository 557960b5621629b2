import { COMPUTE_SIZES, DEFAULT_SIZE } from '../../../../shared/domains/pipelines/definition/index.ts';
import { type Access, defineContainer, defineWorker } from '../../../resources.ts';

/** A function and a container run the same code with the same access. */
const access: Access = {
  table: 'readWrite',
  indexes: ['byCollection'],
  secrets: ['master-secret'],
  objects: {
    read: ['catalogues', 'changes', 'datasets', 'definitions', 'staging', 'uploads', 'watermarks'],
    // A file that starts a run is read as it arrived, even if it has been replaced since.
    readVersions: ['uploads'],
    write: ['datasets', 'staging', 'watermarks'],
    abortUploads: ['datasets', 'staging'],
    remove: ['watermarks'],
  },
  sendsTo: ['work'],
  startsMachines: ['run', 'step'],
  returnsTaskTokens: ['success', 'failure'],
  settings: [
    'ALLOWED_PRIVATE_CIDRS',
    'ATHENA_DATABASE',
    'ATHENA_FROM_MB',
    'EXTRA_ENGINES',
    'PIPELINE_STARTS_PER_MINUTE',
    'WORKSPACE_STARTS_PER_MINUTE',
  ],
};

export const worker = defineWorker({
  ...access,
  name: 'run-step',
  description: 'Runs the steps of a pipeline run.',
  memoryMb: COMPUTE_SIZES[DEFAULT_SIZE],
  sizes: { memoryMb: COMPUTE_SIZES, usual: DEFAULT_SIZE, variable: 'COMPUTE_SIZE' },
  timeoutSeconds: 15 * 60,
  scratchMb: 10_240,
  hasDuckDb: true,
  alarmsOnErrors: true,
});

/**
 * Three times the memory and twenty times the disk of the largest function, for as long as a run may take: about $0.26
 * an hour.
 */
const CONTAINER_MEMORY_MB = 30_720;

export const container = defineContainer({
  ...access,
  name: 'run-step',
  cpu: 4096,
  memoryMb: CONTAINER_MEMORY_MB,
  scratchGb: 200,
  variables: { TASK_MEMORY_MB: String(CONTAINER_MEMORY_MB) },
});
