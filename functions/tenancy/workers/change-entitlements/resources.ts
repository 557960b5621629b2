import { defineWorker } from '../../../resources.ts';

/** Only operators may invoke it: it decides what companies may use. */
export const worker = defineWorker({
  name: 'change-entitlements',
  description: 'Changes plan, trials and switches of a company; called by the operator.',
  memoryMb: 512,
  timeoutSeconds: 29,
  table: 'readWrite',
});
