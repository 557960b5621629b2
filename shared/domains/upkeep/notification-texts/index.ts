import { ALERT_TEXTS } from '../../alerts/evaluations/index.ts';
import { REMINDER_TEXTS } from '../../catalog/reminders/index.ts';
import type { NotificationTexts } from '../../delivery/notifications/index.ts';
import { RUN_FAILED_TEXTS } from '../../pipelines/runs/index.ts';
import { commentTexts } from '../../stories/comments/index.ts';
import { SUBJECT_KINDS } from '../subject-kinds/index.ts';

/** Every domain whose notifications show texts as they are now. */
export const NOTIFICATION_TEXTS: readonly NotificationTexts[] = [
  commentTexts(SUBJECT_KINDS),
  ALERT_TEXTS,
  REMINDER_TEXTS,
  RUN_FAILED_TEXTS,
];
