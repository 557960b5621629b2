import {
  attributeIssues,
  type ServiceAccount as StoredAccount,
  type serviceAccountRepository,
} from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { assertExpected } from '../../../../shared/platform/storage/expectation.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { type ListRequest, MAX_SELECTED } from '../../../../shared/platform/storage/list-request.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { ApiKeyRepository } from '../repository.ts';
import type { CreateServiceAccount, ServiceAccount, ServiceAccountsQuery, UpdateServiceAccount } from './schemas.ts';

const MAX_ACCOUNTS = 100;

interface Deps {
  accounts: ReturnType<typeof serviceAccountRepository>;
  now: () => Date;
}

interface Named {
  workspaceId: string;
  id: string;
}

/** Without the company, which is always that of the caller. */
export const showAccount = ({ companyId: _, ...account }: StoredAccount): ServiceAccount => account;

export async function createServiceAccount(
  { accounts, now }: Deps,
  { workspaceId, companyId, userId }: Principal,
  { id, ...account }: CreateServiceAccount & { id: string },
): Promise<ServiceAccount> {
  requireAttributes(account);
  const { total } = await accounts.list(workspaceId, { limit: 1, offset: 0 });
  if (total >= MAX_ACCOUNTS && !(await accounts.get(workspaceId, id))) throw new AppError('TOO_MANY_SERVICE_ACCOUNTS');
  const at = now().toISOString();
  const stamps = { createdBy: userId, createdAt: at, updatedAt: at, revision: 1 };
  return showAccount(await accounts.create({ id, workspaceId, companyId, ...account, ...stamps }));
}

export async function listServiceAccounts(
  { accounts }: Deps,
  { workspaceId, role, ...request }: ServiceAccountsQuery & { workspaceId: string },
): Promise<PageOf<ServiceAccount>> {
  const page = await accounts.list(workspaceId, { ...request, having: { role } });
  return { ...page, items: page.items.map(showAccount) };
}

export async function findServiceAccount({ accounts }: Deps, { workspaceId, id }: Named): Promise<StoredAccount> {
  const account = await accounts.get(workspaceId, id);
  if (!account) throw new AppError('SERVICE_ACCOUNT_NOT_FOUND');
  return account;
}

export async function updateServiceAccount(
  deps: Deps,
  { change, ...named }: Named & { change: UpdateServiceAccount },
): Promise<ServiceAccount> {
  requireAttributes(change);
  return onNewest('STALE_WRITE', async () => {
    const account = await findServiceAccount(deps, named);
    const updatedAt = later(account.updatedAt, deps.now());
    return showAccount(await deps.accounts.replace(account, { ...account, ...change, updatedAt }, 'STALE_WRITE'));
  });
}

/** The keys first: after a crash the account still exists and can be deleted again. */
export function deleteServiceAccount(deps: Deps & { keys: ApiKeyRepository }, named: Named): Promise<void> {
  const { accounts, keys } = deps;
  return onNewest('STALE_WRITE', async () => {
    const account = await findServiceAccount(deps, named);
    assertExpected(account.id, account.revision);
    const matches = ({ serviceAccountId }: { serviceAccountId?: string | undefined }) =>
      serviceAccountId === account.id;
    const { items } = await keys.list(named.workspaceId, { limit: MAX_SELECTED, offset: 0, matches } as ListRequest);
    for (const key of items) await keys.remove(key);
    await accounts.remove(account, 'STALE_WRITE');
  });
}

function requireAttributes({ attributes = {} }: Pick<UpdateServiceAccount, 'attributes'>): void {
  const errors = attributeIssues(attributes);
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}
