import { anotherManager, stillManager } from '../../../../shared/domains/identity/identity-providers/index.ts';
import type { Part } from '../../../../shared/domains/identity/provisioning/index.ts';
import type { UserRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';

/**
 * What the end of a user's account needs so that the company is not locked out. The last person who can manage the
 * company keeps the account (`isHeld`): an identity provider repeats a rejected request for ever, so it cannot be
 * rejected. Of two admins who are deactivated at the same time, the conditions keep one.
 */
export async function keepManager(table: Table, user: UserRecord): Promise<{ isHeld: boolean; conditions: Part[] }> {
  if (user.companyRole !== 'company_admin') return { isHeld: false, conditions: [] };
  const another = await anotherManager(table, user);
  if (!another) return { isHeld: true, conditions: [] };
  const conditions = stillManager(table, another).map((item): Part => ({ item, failed: { code: 'STALE_WRITE' } }));
  return { isHeld: false, conditions };
}
