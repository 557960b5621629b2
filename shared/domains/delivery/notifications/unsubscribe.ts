import { idTokens } from '../../../platform/crypto/id-tokens.ts';
import type { MasterSecret } from '../../../platform/crypto/master-secret.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { readMembers } from '../../tenancy/workspaces/index.ts';
import { follows } from './follows.ts';
import type { NotifiedPerson, SubjectRef } from './records.ts';

/** The person of a link, and the subject whose mails it ends. */
type MailLink = Omit<NotifiedPerson, 'membershipId'> & { subject: SubjectRef };

/** Tokens of the links that end the mails about one subject. */
export function mailTokens(master: MasterSecret) {
  const signed = idTokens(master, { prefix: 'no', purpose: 'unsubscribe-notifications' });
  return {
    of: ({ workspaceId, userId, subject: { type, id } }: MailLink): Promise<string> =>
      signed.of([workspaceId, userId, type, id]),
    async read(token: string): Promise<MailLink | undefined> {
      const [workspaceId, userId, type, id] = (await signed.read(token, 4)) ?? [];
      return workspaceId && userId && type && id ? { workspaceId, userId, subject: { type, id } } : undefined;
    },
  };
}

export type MailTokens = ReturnType<typeof mailTokens>;

/**
 * The person of the link, while they are a member who gets mails about the subject. Throws `UNSUBSCRIBE_LINK_INVALID`.
 */
export async function subscribedPerson(
  { table, tokens }: { table: Table; tokens: MailTokens },
  token: string,
): Promise<{ person: NotifiedPerson; subject: SubjectRef } | undefined> {
  const link = await tokens.read(token);
  if (!link) throw new AppError('UNSUBSCRIBE_LINK_INVALID');
  const { workspaceId, userId, subject } = link;
  const member = (await readMembers(table, workspaceId, [userId])).get(userId);
  if (!member) return undefined;
  const person = { workspaceId, userId, membershipId: member.membershipId };
  const follow = (await follows(table).read([person], subject)).get(userId);
  return follow?.noMail ? undefined : { person, subject };
}

/** Ends the mails about the subject of the link. Repeating it changes nothing. Throws `UNSUBSCRIBE_LINK_INVALID`. */
export async function unsubscribeByLink(deps: { table: Table; tokens: MailTokens }, token: string): Promise<void> {
  const found = await subscribedPerson(deps, token);
  if (found) await follows(deps.table).unsubscribe(found.person, found.subject);
}
