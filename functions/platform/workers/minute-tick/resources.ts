import { defineWorker } from '../../../resources.ts';

export const worker = defineWorker({
  name: 'minute-tick',
  description: 'Starts due pipeline runs and repairs stuck ones.',
  memoryMb: 512,
  timeoutSeconds: 55,
  table: 'readWrite',
  indexes: ['byCollection', 'byDue'],
  objects: { read: ['datasets', 'definitions'], remove: ['datasets'] },
  sendsTo: ['work', 'jobs', 'captures', 'reports', 'mails', 'alerts'],
  startsMachines: ['run', 'step'],
  settings: ['MAIL_FROM', 'PIPELINE_STARTS_PER_MINUTE', 'WORKSPACE_STARTS_PER_MINUTE'],
  everyMinute: 'Starts due pipeline runs and repairs stuck ones.',
  alarmsOnErrors: true,
});
