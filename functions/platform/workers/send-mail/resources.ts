import { defineWorker } from '../../../resources.ts';

export const worker = defineWorker({
  name: 'send-mail',
  description:
    'Sends emails: password resets, changed addresses, invitations, notifications, metric digests and dashboards.',
  memoryMb: 512,
  timeoutSeconds: 30,
  table: 'readWrite',
  secrets: ['master-secret'],
  objects: { read: ['results'] },
  settings: ['APP_URL', 'MAIL_FROM'],
  sendsMail: true,
  consumes: [{ name: 'mails', batchSize: 5, maxConcurrency: 2 }],
});
