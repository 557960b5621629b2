import type { Principal } from '../../../platform/auth/principal.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import {
  type Attributes,
  attributesOf as ownAttributesOf,
  type UserRecord,
  userRecordKey,
} from '../../tenancy/workspaces/index.ts';
import { type ClaimsOfProvider, listProviders, readClaims } from '../identity-providers/index.ts';
import { type Profile, profileKey, scimResource } from '../provisioning/index.ts';
import { mappingsKey, scimAttributesOf } from './scim-mappings.ts';
import { attributeValue, scimAttributes } from './values.ts';

/** The attributes that the company takes from its identity providers. */
export interface MappedAttributes {
  /** All that are mapped: only the mapping sets them, also for people without a value. */
  names: ReadonlySet<string>;
  attributes: Attributes;
}

/**
 * What SCIM and single sign-on say of a person, by the mappings of the company. It is made anew for each read, so that
 * a change of the person or of a mapping counts for the next one.
 */
export async function mappedAttributes(
  table: Table,
  { companyId, userId }: { companyId: string; userId: string },
): Promise<MappedAttributes> {
  const [items, providers] = await Promise.all([
    readItems(table, [mappingsKey(companyId), profileKey(userId), userRecordKey(userId)]),
    listProviders(table, companyId),
  ]);
  const itemAt = ({ pk, sk }: { pk: string; sk: string }) => items.find((item) => item.pk === pk && item.sk === sk);
  const { mappings } = scimAttributesOf(companyId, itemAt(mappingsKey(companyId)));
  const userItem = itemAt(userRecordKey(userId));
  const user = userItem && toRecord<UserRecord>(userItem);
  const profileItem = itemAt(profileKey(userId));
  const profile = profileItem && toRecord<Profile>(profileItem);
  const mapping = providers.filter(({ attributes }) => attributes.length > 0);
  const claims = user && mapping.length > 0 ? await readClaims(table, user) : [];
  const names = new Set(mappings.map(({ attribute }) => attribute));
  // What provisioning names, it alone says.
  const values = user && profile ? Object.entries(scimAttributes(mappings, scimResource({ user, profile }))) : [];
  for (const name of new Set(mapping.flatMap((provider) => provider.attributes!.map(({ attribute }) => attribute)))) {
    if (names.has(name)) continue;
    names.add(name);
    const value = claimed(name, mapping, claims);
    if (value !== undefined) values.push([name, value]);
  }
  return { names, attributes: Object.fromEntries(values) };
}

/** By the provider that the person has signed in with last, of those that map the attribute and are on. */
function claimed(
  name: string,
  providers: Awaited<ReturnType<typeof listProviders>>,
  stored: readonly ClaimsOfProvider[],
): string | string[] | undefined {
  const found = providers.flatMap(({ id, enabled, attributes }) => {
    const claim = attributes.find(({ attribute }) => attribute === name)?.claim;
    const said = stored.find(({ providerId }) => providerId === id);
    return enabled && claim !== undefined && said ? [{ claim, said }] : [];
  });
  const [last] = found.sort((a, b) => b.said.claimsAt.localeCompare(a.said.claimsAt));
  return last && Object.hasOwn(last.said.claims, last.claim) ? attributeValue(last.said.claims[last.claim]) : undefined;
}

/**
 * The attributes of the caller: those of the member, with what the company maps in place of what was set; or those of
 * the key.
 */
export async function attributesOf(table: Table, principal: Principal): Promise<Attributes> {
  if (principal.kind !== 'user') return ownAttributesOf(table, principal);
  const [own, mapped] = await Promise.all([ownAttributesOf(table, principal), mappedAttributes(table, principal)]);
  return withMapped(own, mapped);
}

export function withMapped(own: Attributes, { names, attributes }: MappedAttributes): Attributes {
  const left = Object.entries(own).filter(([name]) => !names.has(name));
  return { ...Object.fromEntries(left), ...attributes };
}
