import type { Key } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { isIdentityOf, type UserRecord } from '../../tenancy/workspaces/index.ts';
import { identitiesOf, providersOf } from './keys.ts';
import type { IdentityProvider } from './records.ts';

/** The claims that the provider maps to attributes, by name. */
export type Claims = Record<string, string | string[]>;

export interface ClaimsOfProvider {
  providerId: string;
  claims: Claims;
  claimsAt: string;
}

/** An identity below its user, as stored. */
export interface StoredIdentity extends Key, Partial<Omit<ClaimsOfProvider, 'providerId'>> {
  subjectKey: Key;
  linkedAt: string;
}

// Every question about rows reads these two, so they stand apart from all that changes providers and identities.

/** All of a company, oldest first. */
export const listProviders = (table: Table, companyId: string): Promise<IdentityProvider[]> =>
  Array.fromAsync(itemsBelow(table, providersOf(companyId)), (item) => toRecord<IdentityProvider>(item));

/** What the providers have said of the user at the last sign-in with each. */
export async function readClaims(table: Table, user: UserRecord): Promise<ClaimsOfProvider[]> {
  const { sk: prefix } = identitiesOf(user.id);
  const stored = await Array.fromAsync(itemsBelow(table, identitiesOf(user.id)));
  return (stored as unknown as StoredIdentity[]).flatMap(({ sk, linkedAt, claims, claimsAt }) =>
    claims && claimsAt && isIdentityOf(user, linkedAt)
      ? [{ providerId: sk.slice(prefix.length), claims, claimsAt }]
      : [],
  );
}
