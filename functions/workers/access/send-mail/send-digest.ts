import type { MailMessage } from '../../../../shared/domains/mails/index.ts';
import {
  type DigestContent,
  type DigestRepository,
  type DigestRuns,
  isStillMember,
  type Memberships,
  type SkipReason,
  type StoredMail,
  type UnsubscribeTokens,
} from '../../../../shared/domains/metric-reports/index.ts';
import type { UserRecord } from '../../../../shared/domains/workspaces/index.ts';
import type { Mail } from '../../../../shared/platform/mail/compose.ts';
import type { Mailer } from '../../../../shared/platform/mail/mailer.ts';

export interface DigestMailDeps {
  digests: Pick<DigestRepository, 'get'>;
  runs: Pick<DigestRuns, 'claimMail' | 'endMail'>;
  unsubscribe: UnsubscribeTokens;
  members(workspaceId: string, userIds: readonly string[]): Promise<Memberships>;
  user(id: string): Promise<UserRecord | undefined>;
  mailer: Mailer;
  now: () => Date;
}

/**
 * A message may come twice, or after the recipient has left: only a mail that waits is sent. SES has no way to recognize a mail that
 * it took before the worker crashed, so that one is sent once more.
 */
export async function sendDigest(deps: DigestMailDeps, place: Extract<MailMessage, { kind: 'digest' }>): Promise<void> {
  const mail = await deps.runs.claimMail(place, deps.now());
  if (!mail?.content) return;
  const { workspaceId, digestId, userId } = place;
  const digest = await deps.digests.get(workspaceId, digestId);
  const isRecipient = digest?.recipients.some((each) => each.userId === userId);
  if (!digest || !isRecipient) return skip(deps, place, 'UNSUBSCRIBED');
  const email = await addressOf(deps, mail);
  if (email === undefined) return skip(deps, place, 'NOT_A_MEMBER');
  const token = await deps.unsubscribe.of({ workspaceId, digestId, userId });
  const url = `${digest.apiUrl}/metrics/digests/unsubscribe?token=${token}`;
  await deps.mailer.send(email, digestMail(mail.content, mail.leftOutCount, url));
  await deps.runs.endMail(place, { status: 'sent', reason: null, sentAt: deps.now().toISOString() });
}

const skip = (deps: DigestMailDeps, place: Parameters<DigestRuns['endMail']>[0], reason: SkipReason): Promise<void> =>
  deps.runs.endMail(place, { status: 'skipped', reason, sentAt: null });

/** Undefined for a person who has left the workspace since, or whose account is deactivated. */
async function addressOf(deps: DigestMailDeps, mail: StoredMail): Promise<string | undefined> {
  const [members, user] = await Promise.all([deps.members(mail.workspaceId, [mail.userId]), deps.user(mail.userId)]);
  return isStillMember(members, mail) && user?.active ? user.email : undefined;
}

export function digestMail(
  { digestName, workspaceName, ownerName, figures }: DigestContent,
  leftOutCount: number,
  unsubscribeUrl: string,
): Mail {
  const hidden = leftOutCount === 1 ? '1 metric is' : `${leftOutCount} metrics are`;
  return {
    subject: digestName,
    heading: digestName,
    paragraphs: [],
    figures,
    notes: [
      ...(leftOutCount > 0 ? [`${hidden} left out, because you may not see the data.`] : []),
      `${ownerName} sends you this digest from the workspace “${workspaceName}”. The numbers come from the rows that you may see.`,
    ],
    unsubscribe: { label: 'Unsubscribe from this digest', url: unsubscribeUrl },
  };
}
