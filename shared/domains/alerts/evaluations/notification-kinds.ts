import type { NotificationKind } from '../../delivery/notifications/index.ts';
import type { AlertRecord } from '../rules/index.ts';

/** The kind of notifications of alerts, for those who get an email besides. */
export const ALERT_MAILED = {
  ...{ name: 'alert', phrase: 'has an alert', mail: 'urgent', mailsTogether: true },
} as const satisfies NotificationKind;

/** Emails of critical alerts are sent, however many there were. */
export const mailKindOf = ({ severity }: Pick<AlertRecord, 'severity'>, isMailed: boolean): NotificationKind => {
  if (!isMailed) return { ...ALERT_MAILED, mail: 'none' };
  return severity === 'critical' ? { ...ALERT_MAILED, mailsAlways: true } : ALERT_MAILED;
};
