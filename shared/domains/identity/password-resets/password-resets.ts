import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import { type Key, userKey } from '../../../platform/storage/keys.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';

/** The latest mail for a reset of a user's password. */
export interface PasswordReset {
  userId: string;
  requestId: string;
  requestedAt: string;
  /** The digest of the token; absent for a user without a password, which the mail then says. */
  digest?: string | undefined;
  validUntil: string;
  /** The user's address when the mail was sent: another one voids the token. */
  email: string;
  /**
   * The user's `signInEpoch` when the token was made: a change of the password begins another one and voids the token.
   */
  signInEpoch?: string | undefined;
  /** When SES took the mail. */
  sentAt?: string;
  /** How many mails were sent on this day at the request of unknown addresses. */
  day: string;
  strangers: number;
}

export interface PasswordResets {
  find(userId: string): Promise<PasswordReset | undefined>;
  /** Voids the token before. Returns false if the latest reset is not the one that was read. */
  save(reset: PasswordReset, seen: PasswordReset | undefined): Promise<boolean>;
  sent(reset: PasswordReset, at: Date): Promise<void>;
}

/** How long a token is valid. */
export const RESET_MINUTES = 30;

/** Longer than the day for which mails are counted. */
const KEPT_SECONDS = 2 * 24 * 60 * 60;

export function passwordResets(table: Table): PasswordResets {
  return {
    async find(userId) {
      const found = await table.db.send(
        new GetCommand({ TableName: table.name, Key: keyOf(userId), ConsistentRead: true }),
      );
      return found.Item && toRecord<PasswordReset>(found.Item);
    },
    save: (reset, seen) =>
      ifHolds(
        table.db.send(
          new PutCommand({
            TableName: table.name,
            Item: {
              ...reset,
              ...keyOf(reset.userId),
              entity: 'password-reset',
              expiresAt: Math.floor(Date.parse(reset.requestedAt) / 1000) + KEPT_SECONDS,
            },
            ...(seen
              ? {
                  ConditionExpression: 'requestId = :seen',
                  ExpressionAttributeValues: { ':seen': seen.requestId },
                }
              : { ConditionExpression: 'attribute_not_exists(pk)' }),
          }),
        ),
      ),
    async sent({ userId, requestId }, at) {
      const change = { set: { sentAt: at.toISOString() } };
      await ifHolds(
        table.db.send(new UpdateCommand(updateOf(table, keyOf(userId), change, { equals: { requestId } }))),
      );
    },
  };
}

const keyOf = (userId: string): Key => userKey(userId, 'PASSWORD-RESET');
