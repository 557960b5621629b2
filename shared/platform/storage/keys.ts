/**
 * Keys of the one table. The tenant comes first in every partition key, and no builder can be called without it, so a
 * forgotten filter cannot reach another tenant's items. `README.md` beside this file lists the access patterns.
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

/** A sentinel whose existence makes a value unique within its scope. */
export const uniqueKey = (scope: string, value: string): Key => ({
  pk: `UNIQUE#${scope}`,
  sk: value.normalize('NFKC').toLowerCase(),
});

/** An API key is found by the digest of its value; the item then names the workspace. */
export const apiKeyDigestKey = (digest: string): Key => ({ pk: `APIKEY#${digest}`, sk: 'META' });
