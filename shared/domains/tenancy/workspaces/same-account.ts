import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { userRecordKey } from './keys.ts';
import type { UserRecord } from './records.ts';

/** Whether a passkey or an identity of this time belongs to the person who has the account now. */
export const isIdentityOf = ({ identitiesEndedAt }: Pick<UserRecord, 'identitiesEndedAt'>, madeAt: string): boolean =>
  identitiesEndedAt === undefined || madeAt > identitiesEndedAt;

/** The condition that no identity provider has removed the user since the record was read. */
export function sameAccount({ identitiesEndedAt }: UserRecord): {
  ConditionExpression: string;
  ExpressionAttributeValues: Record<string, unknown>;
} {
  return identitiesEndedAt === undefined
    ? {
        ConditionExpression: 'active = :active AND attribute_not_exists(identitiesEndedAt)',
        ExpressionAttributeValues: { ':active': true },
      }
    : {
        ConditionExpression: 'active = :active AND identitiesEndedAt = :ended',
        ExpressionAttributeValues: { ':active': true, ':ended': identitiesEndedAt },
      };
}

/** Fails the transaction if the account was deactivated or removed meanwhile. */
export const stillAccount = (table: Table, user: UserRecord): TransactItem => ({
  ConditionCheck: { TableName: table.name, Key: userRecordKey(user.id), ...sameAccount(user) },
});
