import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import {
  hasMembership,
  listUsers,
  membershipsOf,
  sessionKey,
  stillCompanyAdmin,
  type UserRecord,
} from '../../tenancy/workspaces/index.ts';
import { readEnforcement, signInPolicy } from './enforcement.ts';
import { enabledProviderOf } from './identities.ts';

/** A company admin who can sign in, with a workspace to sign in to. */
export interface CompanyManager {
  user: UserRecord;
  workspaceId: string;
}

/**
 * A company admin other than the user who can take the user's place: one who can sign in and, if the user is a
 * break-glass admin of a company with enforced single sign-on, does not need the identity provider for it.
 */
export async function anotherManager(
  table: Table,
  user: Pick<UserRecord, 'id' | 'companyId'>,
): Promise<CompanyManager | undefined> {
  const { enforced, breakGlassUserIds } = await readEnforcement(table, user.companyId);
  const needsBreakGlass = enforced && breakGlassUserIds.includes(user.id);
  const { items } = await listUsers(table, user.companyId);
  for (const each of items) {
    if (each.id === user.id || each.companyRole !== 'company_admin') continue;
    const canSignIn = needsBreakGlass ? await hasOwnSignIn(table, each) : await hasSignIn(table, each);
    const [membership] = canSignIn ? await membershipsOf(table, each.id) : [];
    if (membership) return { user: each, workspaceId: membership.workspaceId };
  }
  return undefined;
}

/**
 * For the transaction that takes rights from another company admin: fails if this one has lost theirs in the meantime.
 */
export const stillManager = (table: Table, { user, workspaceId }: CompanyManager): TransactItem[] => [
  stillCompanyAdmin(table, user),
  hasMembership(table, { userId: user.id, workspaceId }),
];

/**
 * Whether there is something that the user can sign in with, and that no other person has given and the user never
 * used.
 */
export const hasSignIn = async (table: Table, user: UserRecord): Promise<boolean> =>
  (await hasOwnSignIn(table, user)) || (user.active && (await enabledProviderOf(table, user)) !== undefined);

/** The same without an identity provider. */
async function hasOwnSignIn(table: Table, user: UserRecord): Promise<boolean> {
  if (!user.active) return false;
  const policy = await signInPolicy(table).ownSignIn(user);
  if (policy === 'refused') return false;
  if ((user.passkeys ?? 0) > 0) return true;
  if (user.passwordHash === undefined || (policy === 'with-second-factor' && !user.sealedTotp)) return false;
  return user.passwordSetBy === undefined || hasSignedIn(table, user.id);
}

async function hasSignedIn(table: Table, userId: string): Promise<boolean> {
  for await (const _session of itemsBelow(table, sessionKey(userId, ''))) return true;
  return false;
}
