import type { MailBatch } from './records.ts';

const MINUTE_MS = 60_000;

/** How long a mail waits: after the first notification of a batch, and after the last. */
const WAIT_MS = {
  soon: { first: 2 * MINUTE_MS, last: 0 },
  urgent: { first: MINUTE_MS, last: 0 },
  gathered: { first: 30 * MINUTE_MS, last: 5 * MINUTE_MS },
} as const;

/** When a batch is looked at first. A later one waits, as the batch grows, until `sendAt`. */
export const firstLookMs = (timing: MailBatch['timing']): number =>
  timing === 'gathered' ? WAIT_MS.gathered.last : WAIT_MS[timing].first;

/** When the mail is due; undefined for an empty batch. Of a batch that grows it is the same or later, never earlier. */
export function sendAt({
  timing,
  firstAt,
  lastAt,
}: Pick<MailBatch, 'timing' | 'firstAt' | 'lastAt'>): Date | undefined {
  if (firstAt === undefined || lastAt === undefined) return undefined;
  const { first, last } = WAIT_MS[timing];
  const latest = Date.parse(firstAt) + first;
  return new Date(timing === 'gathered' ? Math.min(latest, Date.parse(lastAt) + last) : latest);
}
