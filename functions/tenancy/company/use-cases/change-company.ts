import { type Company, showCompany } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { DAY_MS } from '../../../../shared/platform/schedule/durations.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { CompanyRepository } from '../repository.ts';

interface Deps {
  companies: CompanyRepository;
  /** How long a deleted company can be restored. */
  graceDays: number;
  now(): Date;
}

export function renameCompany({ companies, now }: Deps, { companyId }: Principal, name: string): Promise<Company> {
  return onNewest('STALE_WRITE', async () =>
    showCompany(await companies.rename(await companies.company(companyId), name, now())),
  );
}

/** Throws `NAME_NOT_CONFIRMED`. */
export function deleteCompany(
  { companies, graceDays, now }: Deps,
  caller: Principal,
  confirm: string,
): Promise<Company> {
  return onNewest('STALE_WRITE', async () => {
    const company = await companies.company(caller.companyId);
    if (company.name !== confirm) throw new AppError('NAME_NOT_CONFIRMED');
    const at = now();
    const deletesAt = new Date(at.getTime() + graceDays * DAY_MS).toISOString();
    return showCompany(await companies.delete(company, { at, deletesAt }));
  });
}

/** Throws `COMPANY_ERASED`. */
export async function restoreCompany({ companies, now }: Deps, { companyId }: Principal): Promise<Company> {
  if (!(await companies.restore(await companies.company(companyId), now()))) throw new AppError('COMPANY_ERASED');
  return showCompany(await companies.company(companyId));
}
