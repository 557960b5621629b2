/** The public API of this domain; everything else is internal. */
export { type MailMessage, type MailQueue, mailQueue } from './mail-queue.ts';
