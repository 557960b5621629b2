import { defineWorker } from '../../../resources.ts';

export const worker = defineWorker({
  name: 'send-mail',
  description: 'Sends emails: password resets, invitations and digests of metrics.',
  memoryMb: 512,
  timeoutSeconds: 30,
  table: 'readWrite',
  secrets: ['master-secret'],
  settings: ['APP_URL', 'MAIL_FROM'],
  sendsMail: true,
  consumes: [{ name: 'mails', batchSize: 5, maxConcurrency: 2 }],
});
