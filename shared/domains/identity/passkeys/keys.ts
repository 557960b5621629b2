import { secretDigest } from '../../../platform/auth/credentials.ts';
import { type Key, uniqueKey, userKey } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';

const PREFIX = 'PASSKEY#';

export const passkeyKey = (userId: string, id: string): Key => userKey(userId, `${PREFIX}${id}`);
/** The partition and the beginning of the sort keys of a user's passkeys. */
export const passkeysOf = (userId: string): Key => userKey(userId, PREFIX);
/** Leads from a credential to its passkey, which it makes unique. */
export const credentialKey = (credentialId: string): Key => uniqueKey('PASSKEY', secretDigest(credentialId));

/** Fails the transaction if the passkey was removed meanwhile. */
export const stillPasskey = (table: Table, userId: string, id: string): TransactItem => ({
  ConditionCheck: {
    TableName: table.name,
    Key: passkeyKey(userId, id),
    ConditionExpression: 'attribute_exists(pk)',
  },
});
