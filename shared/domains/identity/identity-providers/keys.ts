import { secretDigest } from '../../../platform/auth/credentials.ts';
import { companyKey, type Key, uniqueKey, userKey } from '../../../platform/storage/keys.ts';

const PREFIX = 'IDENTITY-PROVIDER#';
const IDENTITY = 'IDENTITY#';

export const providerKey = (companyId: string, id: string): Key => companyKey(companyId, `${PREFIX}${id}`);
/** The partition and the beginning of the sort keys of a company's providers. */
export const providersOf = (companyId: string): Key => companyKey(companyId, PREFIX);
export const providerCountKey = (companyId: string): Key => companyKey(companyId, 'IDENTITY-PROVIDERS');
export const enforcementKey = (companyId: string): Key => companyKey(companyId, 'SSO-ENFORCEMENT');

export const slugKey = (slug: string): Key => uniqueKey('SSO-SLUG', slug);
export const domainKey = (domain: string): Key => uniqueKey('SSO-DOMAIN', domain);

/**
 * A subject belongs to the issuer that names it: another issuer of the same provider names other people. Case matters.
 */
export const subjectKey = (providerId: string, { issuer, subject }: { issuer: string; subject: string }): Key =>
  uniqueKey(`SSO-SUBJECT#${providerId}`, secretDigest(JSON.stringify([issuer, subject])));

/** The same identity below its user. */
export const identityKey = (userId: string, providerId: string): Key => userKey(userId, `${IDENTITY}${providerId}`);
/** The same for identities that have ended. */
export const endedIdentitiesOf = (userId: string): Key => userKey(userId, 'ENDED-IDENTITY#');
/** The partition and the beginning of the sort keys of a user's identities. */
export const identitiesOf = (userId: string): Key => userKey(userId, IDENTITY);
