import { defineWorker } from '../../../resources.ts';

/** Only operators may invoke it, because invoking it creates a company. */
export const worker = defineWorker({
  name: 'create-owner',
  description: 'Creates a company with its first workspace and owner; called by the operator.',
  memoryMb: 512,
  timeoutSeconds: 29,
  table: 'write',
  settings: ['PASSWORD_COST'],
});
