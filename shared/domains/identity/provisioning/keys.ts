import { companyKey, type Key, sortKeyOf, uniqueKey, userKey } from '../../../platform/storage/keys.ts';

const companyArea = (companyId: string, area: string): string => `${companyKey(companyId, '').pk}#${area}`;

export const tokenKey = (companyId: string, id: string): Key => ({ pk: companyArea(companyId, 'SCIM-TOKEN'), sk: id });

/** The ids of the live tokens of a workspace, for their limit. */
export const liveTokensKey = (companyId: string, workspaceId: string): Key =>
  tokenKey(companyId, `#WORKSPACE#${workspaceId}`);

/** A token is looked up by the digest of its value. */
export const tokenDigestKey = (digest: string): Key => ({ pk: `SCIMTOKEN#${digest}`, sk: 'META' });

/** What the identity provider has sent of a user. */
export const profileKey = (userId: string): Key => userKey(userId, 'SCIM');

/** Makes a user name unique within the company. That of a removed user leads a new account back to the old one. */
export const userNameKey = (companyId: string, userName: string): Key =>
  uniqueKey(`${companyArea(companyId, 'USER-NAME')}`, userName);

/** Unlike user names, external ids differ by case. */
export const externalIdKey = (companyId: string, externalId: string): Key => ({
  pk: uniqueKey(companyArea(companyId, 'USER-EXTERNAL-ID'), '').pk,
  sk: sortKeyOf(externalId),
});

/** The users with a contact address; an address may be that of several. */
export const contactKey = (companyId: string, email: string, userId: string): Key => ({
  pk: `${companyArea(companyId, 'USER-CONTACT')}#${uniqueKey('', email).sk}`,
  sk: userId,
});
