/** The public API of this domain; everything else is internal. */
export { REMINDER_TEXTS, reminderItems } from './reminders.ts';
