import { idTokens } from '../../../platform/crypto/id-tokens.ts';
import type { MasterSecret } from '../../../platform/crypto/master-secret.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { readMembers } from '../../tenancy/workspaces/index.ts';
import { follows } from './follows.ts';
import type { NotifiedPerson, SubjectRef } from './records.ts';

/** The person of a link, and the subject whose mails it ends. */
type MailLink = Pick<NotifiedPerson, 'workspaceId' | 'userId'> & {
  subject: SubjectRef;
  /** Whether it was sent to an address outside the workspace. */
  isOutside: boolean;
};

/** Tokens of the links that end the mails about one subject. */
export function mailTokens(master: MasterSecret) {
  const members = idTokens(master, { prefix: 'no', purpose: 'unsubscribe-notifications' });
  const outside = idTokens(master, { prefix: 'na', purpose: 'unsubscribe-address' });
  return {
    of: ({ workspaceId, userId, subject: { type, id }, isOutside }: MailLink): Promise<string> =>
      (isOutside ? outside : members).of([workspaceId, userId, type, id]),
    async read(token: string): Promise<MailLink | undefined> {
      const ofMember = await members.read(token, 4);
      const [workspaceId, userId, type, id] = ofMember ?? (await outside.read(token, 4)) ?? [];
      if (!workspaceId || !userId || !type || !id) return undefined;
      return { workspaceId, userId, subject: { type, id }, isOutside: ofMember === undefined };
    },
  };
}

export type MailTokens = ReturnType<typeof mailTokens>;

/**
 * The person of the link, while they get mails about the subject: a member, or an address outside the workspace. Throws
 * `UNSUBSCRIBE_LINK_INVALID`.
 */
export async function subscribedPerson(
  { table, tokens }: { table: Table; tokens: MailTokens },
  token: string,
): Promise<{ person: NotifiedPerson; subject: SubjectRef } | undefined> {
  const link = await tokens.read(token);
  if (!link) throw new AppError('UNSUBSCRIBE_LINK_INVALID');
  const { workspaceId, userId, subject, isOutside } = link;
  const member = isOutside ? {} : (await readMembers(table, workspaceId, [userId])).get(userId);
  if (!member) return undefined;
  const person: NotifiedPerson = { workspaceId, userId, ...member };
  const follow = (await follows(table).read([person], subject)).get(userId);
  return follow?.noMail ? undefined : { person, subject };
}

/** Ends the mails about the subject of the link. Repeating it changes nothing. Throws `UNSUBSCRIBE_LINK_INVALID`. */
export async function unsubscribeByLink(deps: { table: Table; tokens: MailTokens }, token: string): Promise<void> {
  const found = await subscribedPerson(deps, token);
  if (found) await follows(deps.table).unsubscribe(found.person, found.subject);
}
