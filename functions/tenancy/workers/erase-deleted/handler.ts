import { DELETION_PARTITION } from '../../../../shared/domains/upkeep/deletions/index.ts';
import { eraseDue } from '../../../../shared/domains/upkeep/erasure/index.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';
import { dueItems, workOnDue } from '../../../../shared/platform/storage/due-items.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';

const log = createLogger('erase-deleted');
const table = openTable(environment('TABLE_NAME'));
const objects = objectStore(environment('DATA_BUCKET'));

/** Well before the function's timeout; the next one goes on. */
const ERASE_MS = 4 * 60_000;

/** Once a minute: goes on with the deletions that are due. */
export async function handler(): Promise<void> {
  const end = Date.now() + ERASE_MS;
  const isOver = () => Date.now() >= end;
  const failures = await workOnDue(
    dueItems(table, DELETION_PARTITION, table.now()),
    (item) => eraseDue({ table, objects, now: table.now, isOver }, item),
    (failure) => log.error('a deletion could not go on', { ...failure }),
    isOver,
  );
  if (failures.length > 0) throw new Error(`${failures.length} deletions failed; the next minute retries them`);
}
