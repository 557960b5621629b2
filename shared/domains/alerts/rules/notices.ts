import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { KEPT_DAYS } from '../../delivery/notifications/index.ts';
import type { AlertState, Edge, Silenced } from '../conditions/index.ts';
import { noticeKey } from './keys.ts';
import type { AlertRecord, Severity } from './records.ts';
import { presentAlert } from './repository.ts';

/** What people of one class were notified of. What it says is for readers of the same class alone. */
export interface AlertNotice {
  id: string;
  workspaceId: string;
  alertId: string;
  classKey: string;
  /** See `StoredClass`. */
  lasting: string | null;
  name: string;
  severity: Severity;
  condition: AlertRecord['condition'];
  group: string;
  edge: Edge;
  state: AlertState;
  value: number | null;
  error: { code: string; message: string } | null;
  episodeId: string | null;
  /** What `woke` sums up. */
  silenced: Silenced | null;
  /** The name of the person whose rows it is about, if those are not the rows of the reader. */
  rowsOf: string | null;
  /** The evaluated instant. */
  at: string;
}

export interface AlertNotices {
  /** Repeating it changes nothing. Returns false if the rule was deleted. */
  put(notice: AlertNotice): Promise<boolean>;
  /** By id; a hundred cost one read. */
  read(
    workspaceId: string,
    wanted: readonly { alertId: string; noticeId: string }[],
  ): Promise<ReadonlyMap<string, AlertNotice>>;
}

export function alertNotices(table: Table): AlertNotices {
  return {
    async put(notice) {
      const expiresAt = Math.ceil(table.now().getTime() / 1000) + (KEPT_DAYS + 1) * 24 * 60 * 60;
      const Item = { ...notice, ...noticeKey(notice, notice.id), entity: 'alert-notice', expiresAt };
      try {
        await transact(table, [presentAlert(table, notice), { Put: { TableName: table.name, Item } }]);
        return true;
      } catch (cause) {
        if (failedConditions(cause).has(0)) return false;
        throw cause;
      }
    },
    async read(workspaceId, wanted) {
      const items = await readItems(
        table,
        wanted.map(({ alertId, noticeId }) => noticeKey({ workspaceId, alertId }, noticeId)),
      );
      return new Map(items.map((item) => [item.id as string, toRecord<AlertNotice>(item)]));
    },
  };
}
