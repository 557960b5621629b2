import {
  type ProvisionedUser,
  scimResource,
  type WantedUser,
} from '../../../../shared/domains/identity/provisioning/index.ts';
import { type GroupRecord, groupsOfMany } from '../../../../shared/domains/tenancy/groups/index.ts';
import { readMembers } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { jsonBytes } from '../../../../shared/platform/storage/page.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { isEmailAddress, whyConfusable } from '../../../../shared/platform/text/email-address.ts';
import { ENTERPRISE_URN, USER_URN } from '../protocol/attributes.ts';
import { invalidValue, type Members } from '../protocol/values.ts';

const MAX_USER_NAME = 254;
const MAX_EXTERNAL_ID = 256;
const MAX_BYTES = 64 * 1024;

/** The resource as clients see it, but for the groups. */
export function showUser(provisioned: ProvisionedUser, groups: readonly Members[], baseUrl: string): Members {
  const { user, profile } = provisioned;
  const { externalId, userName, ...resource } = scimResource(provisioned);
  return {
    schemas: [USER_URN, ...(ENTERPRISE_URN in resource ? [ENTERPRISE_URN] : [])],
    id: user.id,
    ...(externalId === undefined ? {} : { externalId }),
    userName,
    ...resource,
    ...(groups.length > 0 ? { groups } : {}),
    meta: {
      resourceType: 'User',
      created: user.createdAt,
      lastModified: [user.updatedAt, profile?.updatedAt ?? ''].sort().at(-1),
      location: `${baseUrl}/Users/${user.id}`,
    },
  };
}

/**
 * What a resource means for the account. `isActive` is the present state, which a resource without `active` keeps.
 * Throws `SCIM_INVALID_VALUE`.
 */
export function wantedUser(resource: Members, isActive: boolean): WantedUser {
  const { userName, externalId = null, ...rest } = resource as Members & { userName?: string; externalId?: string };
  if (userName === undefined || userName.trim() === '') throw invalidValue('userName is required.');
  if (userName.length > MAX_USER_NAME) throw invalidValue(`userName is longer than ${MAX_USER_NAME} characters.`);
  if (externalId !== null && externalId.length > MAX_EXTERNAL_ID)
    throw invalidValue(`externalId is longer than ${MAX_EXTERNAL_ID} characters.`);
  if (jsonBytes(rest) > MAX_BYTES) throw invalidValue(`The user is larger than ${MAX_BYTES / 1024} KiB.`);
  const { active, emails = [] } = rest as { active?: boolean; emails?: { value?: string }[] };
  return {
    userName: userName.trim(),
    name: nameOf(resource) || userName.trim(),
    isActive: active ?? isActive,
    externalId,
    contacts: emails.flatMap(({ value }) => (value ? [value] : [])),
    resource: rest,
  };
}

/**
 * An address must not be one that people take for another. A name with a character such as `＠` (U+FF20), which becomes
 * an `@` where it is folded, would be an address that was never claimed. Throws `SCIM_INVALID_VALUE`.
 */
export function requirePlainName(userName: string): void {
  const ats = (text: string) => text.split('@').length;
  if (ats(userName) !== ats(userName.normalize('NFKC'))) {
    throw invalidValue('userName has a character that only looks like @. Use the @ of ASCII (U+0040).');
  }
  const why = isEmailAddress(userName) ? whyConfusable(userName) : undefined;
  if (why !== undefined)
    throw invalidValue(`The address in userName ${why}. Use an address in the usual letters of one script.`);
}

/** What other members see: one line of at most 200 characters. */
function nameOf(resource: Members): string {
  const { displayName, name = {} } = resource as { displayName?: string; name?: Record<string, string> };
  const parts = [name.givenName, name.familyName].filter(Boolean).join(' ');
  const shown = [displayName, name.formatted, parts].find((each) => each !== undefined && each.trim() !== '');
  const line = (shown ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim();
  return line.slice(0, 200).toWellFormed();
}

/** The groups of users in the workspace of the token, by user id. */
export async function groupsOfUsers(
  table: Table,
  workspaceId: string,
  userIds: readonly string[],
  baseUrl: string,
): Promise<Map<string, Members[]>> {
  const members = await readMembers(table, workspaceId, userIds);
  const groupsOf = await groupsOfMany(table, workspaceId, [...members.values()]);
  const show = ({ id, name }: GroupRecord): Members => {
    const $ref = `${baseUrl}/Groups/${id}`;
    return { value: id, $ref, display: name, type: 'direct' };
  };
  return new Map([...groupsOf].map(([userId, groups]) => [userId, groups.map(show)]));
}
