import type { StoredMail, StoredRun } from './records.ts';

/**
 * How far a run is, with the results of its recipients and targets: it is `queued` until each of them has one, and
 * `failed` if none of them got anything because the receivers refused it.
 */
export function runStateOf(
  { status, finishedAt }: Pick<StoredRun, 'status' | 'finishedAt'>,
  mails: readonly Pick<StoredMail, 'status' | 'sentAt'>[],
): Pick<StoredRun, 'status' | 'finishedAt'> {
  if (status !== 'sent') return { status, finishedAt };
  const has = (wanted: StoredMail['status']) => mails.some((mail) => mail.status === wanted);
  if (has('queued')) return { status: 'queued', finishedAt: null };
  const [last = null] = [finishedAt, ...mails.map(({ sentAt }) => sentAt)]
    .filter((at) => at !== null)
    .sort()
    .reverse();
  return { status: has('failed') && !has('sent') ? 'failed' : 'sent', finishedAt: last };
}
