import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { auditedRecords } from '../../../platform/audit/records.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { uniqueKey } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import type { InvitationRecord } from './records.ts';

/** How many mails the members of a workspace may cause, so that it cannot be used to bother people. */
const LIMITS = {
  workspace: { max: 100, ms: 60 * 60 * 1000 },
  address: { max: 5, ms: 24 * 60 * 60 * 1000 },
} as const;

export interface InvitationRepository extends Pick<Collection<InvitationRecord>, 'get' | 'find' | 'list'> {
  /** Throws `INVITATION_EXISTS` if the email is invited. A repeated call with the same id returns what is stored. */
  create(invitation: InvitationRecord): Promise<InvitationRecord>;
  /** Throws `STALE_WRITE` if the invitation has changed since it was read. */
  replace(previous: InvitationRecord, next: InvitationRecord): Promise<InvitationRecord>;
  /** Throws `STALE_WRITE` likewise. */
  remove(invitation: InvitationRecord): Promise<void>;
  /** Removes it in the transaction that makes its person a member. Throws `STALE_WRITE` likewise. */
  accept(invitation: InvitationRecord, joining: TransactItem[]): Promise<void>;
  /** Notes that the mail of this serial was sent, which is no change of the invitation. */
  sent(invitation: InvitationRecord, at: Date): Promise<void>;
  /** Counts an invitation that is to be sent. Throws `TOO_MANY_INVITATIONS`. */
  count(workspaceId: string, email: string): Promise<void>;
}

export function invitationRepository(table: Table): InvitationRepository {
  const options = {
    entity: 'invitation',
    versioned: true,
    unique: { of: ({ email }: InvitationRecord) => email, taken: 'INVITATION_EXISTS' },
  } as const;
  const accepted = collection<InvitationRecord>(table, options);
  const invitations = collection<InvitationRecord>(table, {
    ...options,
    logs: auditedRecords<InvitationRecord>(table, {
      subject: 'invitation',
      name: ({ email }) => email,
      members: { role: 'shown', groupIds: 'shown', validUntil: 'shown' },
    }),
  });

  async function add(counter: string, { max, ms }: { max: number; ms: number }): Promise<void> {
    const now = table.now().getTime();
    const start = Math.floor(now / ms) * ms;
    const isBelow = await ifHolds(
      table.db.send(
        new UpdateCommand({
          TableName: table.name,
          Key: uniqueKey('INVITATIONS-SENT', `${counter} ${start}`),
          UpdateExpression: 'ADD sent :one SET expiresAt = :end',
          ConditionExpression: 'attribute_not_exists(sent) OR sent < :max',
          ExpressionAttributeValues: { ':one': 1, ':max': max, ':end': (start + ms) / 1000 },
        }),
      ),
    );
    const retryAfterSeconds = Math.ceil((start + ms - now) / 1000);
    if (!isBelow) throw new AppError('TOO_MANY_INVITATIONS', { retryAfterSeconds });
  }

  return {
    get: invitations.get,
    find: invitations.find,
    list: invitations.list,
    create: (invitation) => invitations.create(invitation),
    replace: (previous, next) => invitations.replace(previous, next, 'STALE_WRITE'),
    remove: (invitation) => invitations.remove(invitation, 'STALE_WRITE'),
    accept: (invitation, joining) => accepted.remove(invitation, 'STALE_WRITE', joining),

    async sent({ workspaceId, id, serial }, at) {
      const change = { set: { sentAt: at.toISOString() } };
      const update = updateOf(table, invitations.key(workspaceId, id), change, { equals: { serial } });
      await ifHolds(table.db.send(new UpdateCommand(update)));
    },

    async count(workspaceId, email) {
      // The address first, so that one beyond its limit does not use up the limit of the workspace.
      await add(`${workspaceId} ${email}`, LIMITS.address);
      await add(workspaceId, LIMITS.workspace);
    },
  };
}
