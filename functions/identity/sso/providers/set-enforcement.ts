import {
  type IdentityProviderRepository,
  readEnforcement,
  replaceEnforcement,
  type SsoDomains,
} from '../../../../shared/domains/identity/identity-providers/index.ts';
import type { UserRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { Enforcement, SetEnforcement } from './schemas.ts';

interface Deps {
  table: Table;
  providers: IdentityProviderRepository;
  domains: SsoDomains;
  accounts: { user(id: string): Promise<UserRecord | undefined> };
  now: () => Date;
}

/** Enforcement must leave a way in: a provider that people reach, and a company admin for the day when it fails. */
export async function setEnforcement(
  deps: Deps,
  command: SetEnforcement & { companyId: string; userId: string },
): Promise<Enforcement> {
  const { companyId, userId, enforced, breakGlassUserIds } = command;
  await requireBreakGlassUsers(deps, command);
  if (enforced && !(await isReady(deps, companyId))) throw new AppError('SSO_NOT_READY');
  return onNewest('STALE_WRITE', async () => {
    const current = await readEnforcement(deps.table, companyId);
    const updatedAt = later(current.updatedAt ?? new Date(0).toISOString(), deps.now());
    return replaceEnforcement(deps.table, current, {
      companyId,
      enforced,
      breakGlassUserIds,
      updatedBy: userId,
      updatedAt,
    });
  });
}

async function requireBreakGlassUsers(
  deps: Deps,
  { enforced, breakGlassUserIds, companyId }: SetEnforcement & { companyId: string },
) {
  if (enforced && breakGlassUserIds.length === 0) {
    throw invalid('/breakGlassUserIds', 'must name a company admin for the day when the provider fails');
  }
  const users = await Promise.all(breakGlassUserIds.map((id) => deps.accounts.user(id)));
  for (const [index, user] of users.entries()) {
    const pointer = `/breakGlassUserIds/${index}`;
    if (user?.companyId !== companyId || user.companyRole !== 'company_admin' || !user.active) {
      throw invalid(pointer, 'must be an active company admin');
    }
    if (!user.passwordHash || !user.sealedTotp) throw invalid(pointer, 'must have a password and a second factor');
  }
}

async function isReady({ providers, domains }: Deps, companyId: string): Promise<boolean> {
  for (const provider of await providers.list(companyId)) {
    if (provider.enabled && (await domains.verified(provider)).size > 0) return true;
  }
  return false;
}

const invalid = (pointer: string, message: string) =>
  new AppError('VALIDATION_FAILED', { errors: [{ pointer, code: 'BREAK_GLASS', message }] });
