import { companyKey, type Key, uniqueKey, userKey, workspaceKey } from '../../../platform/storage/keys.ts';
import { foldAddress } from '../../../platform/text/email-address.ts';

export const userRecordKey = (userId: string): Key => userKey(userId, 'META');
/** Makes an address unique, with all that look like it. Whose address it is, only `isSameAddress` tells. */
export const emailKey = (email: string): Key => uniqueKey('EMAIL', foldAddress(email));
export const workspaceRecordKey = (workspaceId: string): Key => workspaceKey(workspaceId, 'META', 'META');
export const memberKey = (workspaceId: string, userId: string): Key => workspaceKey(workspaceId, 'MEMBER', userId);
export const memberAttributesKey = (workspaceId: string, userId: string): Key =>
  workspaceKey(workspaceId, 'MEMBER-ATTRIBUTES', userId);
/** The membership below its user, for sign-in and `me`. */
export const membershipKey = (userId: string, workspaceId: string): Key => userKey(userId, `WORKSPACE#${workspaceId}`);
export const sessionKey = (userId: string, sessionId: string): Key => userKey(userId, `SESSION#${sessionId}`);
export const companyRecordKey = (companyId: string): Key => companyKey(companyId, 'META');

/** The users of a company in the order in which they were created. */
export const directoryKey = (companyId: string, createdAt: string, userId: string): Key => ({
  pk: `${companyKey(companyId, '').pk}#USER`,
  sk: `${createdAt}#${userId}`,
});

/** The lists of a company's workspaces and people, in the index by collection. */
export const companyWorkspaces = (companyId: string): string => `C#${companyId}#WORKSPACE`;
export const companyUsers = (companyId: string): string => `C#${companyId}#USER`;
