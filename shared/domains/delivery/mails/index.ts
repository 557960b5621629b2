/** The public API of this domain; everything else is internal. */
export { delayedMails, type MailMessage, type MailQueue, mailQueue } from './mail-queue.ts';
