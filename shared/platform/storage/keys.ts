import { createHash } from 'node:crypto';

/**
 * Keys of the table. The tenant comes first in every partition key, and every builder requires it, so that a forgotten
 * filter cannot reach another tenant's items. `README.md` in this folder lists the access patterns.
 */
export interface Key {
  pk: string;
  sk: string;
}

export const workspaceKey = (workspaceId: string, area: string, sk: string): Key => ({
  pk: `W#${workspaceId}#${area}`,
  sk,
});

export const companyKey = (companyId: string, sk: string): Key => ({ pk: `C#${companyId}`, sk });

export const userKey = (userId: string, sk: string): Key => ({ pk: `U#${userId}`, sk });

/** DynamoDB's limit. */
const MAX_SORT_KEY_BYTES = 1024;

/**
 * A text as a sort key: itself, or its digest if it is too long. A short name may be, because folding it makes eighteen
 * characters of some ligatures.
 */
export const sortKeyOf = (text: string): string =>
  Buffer.byteLength(text) <= MAX_SORT_KEY_BYTES ? text : createHash('sha256').update(text).digest('hex');

/** A sentinel whose existence makes a value unique within its scope. */
export const uniqueKey = (scope: string, value: string): Key => ({
  pk: `UNIQUE#${scope}`,
  sk: sortKeyOf(value.normalize('NFKC').toLowerCase()),
});

/** An API key is looked up by the digest of its value; the item contains the workspace. */
export const apiKeyDigestKey = (digest: string): Key => ({ pk: `APIKEY#${digest}`, sk: 'META' });

/** A share link or an embed token is looked up by the digest of its token; the item contains the workspace. */
export const linkDigestKey = (digest: string): Key => ({ pk: `LINK#${digest}`, sk: 'META' });

/** The membership of a person in a group, below the person, for the groups of a caller. */
export const groupOfUserKey = (workspaceId: string, userId: string, groupId: string): Key =>
  workspaceKey(workspaceId, `USER-GROUP#${userId}`, groupId);
