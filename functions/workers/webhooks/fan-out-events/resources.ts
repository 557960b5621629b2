import { defineWorker } from '../../../resources.ts';

export const worker = defineWorker({
  name: 'fan-out-events',
  description: 'Makes a delivery per subscribed webhook from each event.',
  memoryMb: 256,
  timeoutSeconds: 60,
  table: 'readWrite',
  sendsTo: ['deliveries', 'slow-deliveries'],
  consumesOutbox: true,
  alarmsOnErrors: true,
});
