import { defineWorker } from '../../../resources.ts';

export const worker = defineWorker({
  name: 'fan-out-events',
  description: 'Creates a delivery per event and subscribed webhook.',
  memoryMb: 256,
  timeoutSeconds: 60,
  table: 'readWrite',
  sendsTo: ['deliveries', 'slow-deliveries'],
  consumesOutbox: true,
  alarmsOnErrors: true,
});
