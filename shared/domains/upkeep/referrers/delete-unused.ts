import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import { withReferences } from '../../../platform/storage/references.ts';
import { findReferrers, type NamedReferrer, type ReferrerKind } from '../../../platform/storage/referrers.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { referencesTo, type UsedKind } from '../../../platform/storage/uses.ts';
import { ALERT_USES } from '../../alerts/rules/index.ts';
import { DASHBOARD_USES } from '../../boards/dashboards/index.ts';
import { REPORT_USES } from '../../boards/reports/index.ts';
import type { FindBroken } from '../../catalog/lineage/index.ts';
import { DIGEST_USES } from '../../semantics/metric-reports/index.ts';
import { STORY_USES } from '../../stories/stories/index.ts';
import { seenReferrers, seenUsers } from './seen-referrers.ts';

/** Every kind of record that shows others, as its domain registers it. */
const KINDS: readonly ReferrerKind[] = [DASHBOARD_USES, REPORT_USES, DIGEST_USES, ALERT_USES, STORY_USES];

/**
 * Deletes a record that nothing uses. `remove` deletes it as `find` has read it, in one transaction that ends with the
 * items. Throws `REFERENCED` with what uses it, as far as the caller may know of that.
 */
export type DeleteUnused = <T>(
  named: { principal: Principal; id: string },
  find: () => Promise<T>,
  remove: (found: T, free: TransactItem[]) => Promise<void>,
) => Promise<void>;

/** `others` finds users that no reference tells of; `findBroken` what else would break. */
export function deleteUnused(
  table: Table,
  used: UsedKind,
  others: (workspaceId: string, id: string) => Promise<NamedReferrer[]> = async () => [],
  findBroken?: FindBroken,
): DeleteUnused {
  const dependents = findReferrers(table, KINDS, used);
  /** What else would break, also what uses the record only through others, and where the caller reads all of it. */
  const impactOf = async (principal: Principal, id: string) => {
    if (used === 'theme') return {};
    const type = used === 'savedQuery' ? 'saved-query' : used;
    const broken = await findBroken?.(principal, async () => ({ start: { type, id }, parts: 'all' }));
    return { ...broken, impact: `/api/catalog/impact/${type}/${id}` };
  };
  return (named, find, remove) =>
    onNewest('STALE_WRITE', async () => {
      const { principal, id } = named;
      const { workspaceId } = principal;
      const found = await find();
      const referencedBy = [...(await others(workspaceId, id)), ...(await dependents(workspaceId, id))];
      if (referencedBy.length > 0) {
        const seen = await seenReferrers(table, principal, referencedBy);
        throw new AppError('REFERENCED', { members: { referencedBy: seen, ...(await impactOf(principal, id)) } });
      }
      await withReferences(
        [referencesTo(table, used).removeItem(workspaceId, id)],
        (free) => remove(found, free),
        (cause) => new AppError('STALE_WRITE', { cause }),
      );
    });
}

/** What uses a record now, as far as the reader may know of it. */
export const usersOf = (table: Table, used: UsedKind) => seenUsers(table, KINDS, used);
