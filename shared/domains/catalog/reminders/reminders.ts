import { DAY_MS } from '../../../platform/schedule/durations.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { announcementItem, type NotificationKind, type NotificationTexts } from '../../delivery/notifications/index.ts';
import {
  type CertifiedObject,
  type CertifiedPlace,
  type CertifiedRef,
  certifications,
  entryName,
  isInForce,
} from '../../tenancy/certifications/index.ts';

/** How many days before the end of a certification people are reminded of it. */
const REMINDED_DAYS = [14, 3] as const;

const ENDS_SOON: NotificationKind = { name: 'certification-ends', phrase: 'certified', mail: 'gathered' };

const reminderTime = (expiresAt: string, days: number): string =>
  new Date(Date.parse(expiresAt) - days * DAY_MS).toISOString();

/**
 * For the transaction that sets a certification: announcements that fall due later, each in place of an earlier one
 * about the object. What ends a certification need not remove them, because reminders of it show no text then.
 */
export function reminderItems(
  table: Table,
  {
    place,
    ref,
    ...about
  }: { place: CertifiedPlace; ref: CertifiedRef; expiresAt: string; userIds: string[]; apiUrl: string },
): TransactItem[] {
  const { workspaceId, type, id } = place;
  const now = table.now().toISOString();
  return REMINDED_DAYS.flatMap((days) => {
    const at = reminderTime(about.expiresAt, days);
    if (at <= now) return [];
    return announcementItem(table, {
      ...{ workspaceId, cause: { id: `certification ${entryName(ref)} ${days}`, at } },
      subject: { type, id },
      ...(ref.type === type ? {} : { partId: entryName(ref) }),
      actorId: null,
      title: `A certification ends in ${days} days`,
      apiUrl: about.apiUrl,
      audiences: [{ kind: ENDS_SOON, userIds: about.userIds }],
    });
  });
}

/** Reminders of certifications that have ended, been withdrawn or renewed are not shown. */
export const REMINDER_TEXTS: NotificationTexts = {
  kinds: [ENDS_SOON.name],
  async read(table, { workspaceId }, notifications) {
    const texts = await Promise.all(
      notifications.map(async ({ id, subject, partId, causedAt }) => {
        const place = { workspaceId, type: subject.type as CertifiedObject, id: subject.id };
        const certification = (await certifications(table).read(place))?.entries[partId ?? entryName(place)];
        const { expiresAt, certifiedBy } = certification ?? {};
        if (!expiresAt || !isInForce(certification, table.now())) return [];
        const isCurrent = REMINDED_DAYS.some((days) => reminderTime(expiresAt, days) === causedAt);
        return isCurrent ? [[id, `Certified by ${certifiedBy} until ${expiresAt.slice(0, 10)}.`] as const] : [];
      }),
    );
    return new Map(texts.flat());
  },
};
