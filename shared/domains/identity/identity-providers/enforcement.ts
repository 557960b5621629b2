import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { changedMembers } from '../../../platform/audit/changes.ts';
import { holdsAudited } from '../../../platform/audit/entry.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { assertExpected, staleCode } from '../../../platform/storage/expectation.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { UserRecord } from '../../tenancy/workspaces/index.ts';
import type { Session } from '../sessions/index.ts';
import { identities } from './identities.ts';
import { enforcementKey } from './keys.ts';
import type { Enforcement } from './records.ts';
import { identityProviderRepository } from './repository.ts';

export async function readEnforcement(table: Table, companyId: string): Promise<Enforcement> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: enforcementKey(companyId), ConsistentRead: true }),
  );
  if (found.Item) return toRecord<Enforcement>(found.Item);
  return { companyId, enforced: false, breakGlassUserIds: [], updatedBy: null, updatedAt: null, revision: 1 };
}

/**
 * Throws `STALE_WRITE` if the setting has changed since it was read, `PRECONDITION_FAILED` if the client expects
 * another revision.
 */
export async function replaceEnforcement(
  table: Table,
  previous: Enforcement,
  next: Omit<Enforcement, 'revision'>,
): Promise<Enforcement> {
  const { companyId, revision } = previous;
  assertExpected(companyId, revision);
  const stored = { ...next, revision: revision + 1 };
  const Put = {
    TableName: table.name,
    Item: { ...stored, ...enforcementKey(companyId), entity: 'sso-enforcement' },
    ConditionExpression: previous.updatedAt === null ? 'attribute_not_exists(pk)' : 'revision = :seen',
    ...(previous.updatedAt === null ? {} : { ExpressionAttributeValues: { ':seen': revision } }),
  };
  const isStored = await holdsAudited(
    table,
    { Put },
    {
      action: 'sso_enforcement.updated',
      object: { type: 'sso-enforcement', id: companyId, name: null },
      place: { companyId, workspaceId: null },
      ...changedMembers<Enforcement>({ enforced: 'shown', breakGlassUserIds: 'shown' }, previous, stored),
    },
  );
  if (!isStored) throw new AppError(staleCode(companyId, 'STALE_WRITE'));
  return stored;
}

export type OwnSignIn = 'allowed' | 'with-second-factor' | 'refused';

/** Whether a user may sign in with what the platform itself checks: a password or a passkey. */
async function ownSignInOf(table: Table, { id, companyId, companyRole }: UserRecord): Promise<OwnSignIn> {
  const { enforced, breakGlassUserIds } = await readEnforcement(table, companyId);
  if (!enforced) return 'allowed';
  return companyRole === 'company_admin' && breakGlassUserIds.includes(id) ? 'with-second-factor' : 'refused';
}

/** What a company's setting for single sign-on means for the sign-ins of its users. */
export interface SignInPolicy {
  ownSignIn(user: UserRecord): Promise<OwnSignIn>;
  /** Whether a sign-in that was made before may go on. */
  mayContinue(session: Pick<Session, 'method'>, user: UserRecord): Promise<boolean>;
}

export const signInPolicy = (table: Table): SignInPolicy => ({
  ownSignIn: (user) => ownSignInOf(table, user),
  async mayContinue({ method }, user) {
    if (method?.kind !== 'sso') return (await ownSignInOf(table, user)) !== 'refused';
    const provider = await identityProviderRepository(table).get(user.companyId, method.providerId);
    return provider?.enabled === true && (await identities(table).has(provider, user.id));
  },
});
