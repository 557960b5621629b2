import { AppError } from '../errors/app-error.ts';
import { collection } from './collection.ts';
import type { References, Referrer, ReferrerType } from './references.ts';
import type { StoredRecord } from './stored-record.ts';
import type { Table, TransactItem } from './table.ts';
import { failedConditions, transact } from './transact.ts';
import { isSameUse, referencesTo, type Use, type UsedKind } from './uses.ts';

/** A referrer with the name that users know. */
export interface NamedReferrer {
  type: ReferrerType;
  id: string;
  name: string;
}

/** What a record uses at present. */
export interface CurrentUses {
  name: string;
  uses: readonly Use[];
  /** Fail the transaction if the record has changed since. */
  unchanged: TransactItem[];
}

/** Records that use others, as their domain registers them. */
export interface ReferrerKind {
  type: ReferrerType;
  /** Undefined if there is no such record. */
  read(table: Table, workspaceId: string, id: string): Promise<CurrentUses | undefined>;
}

const nameOf = async (table: Table, workspaceId: string, { type, id }: Pick<Referrer, 'type' | 'id'>) => {
  const records = collection<StoredRecord & { name?: string; streamId?: string }>(table, { entity: type });
  const record = await records.get(workspaceId, id);
  return record?.name ?? record?.streamId ?? id;
};

/** Lists the referrers of a record, to report why it cannot be deleted. */
export function namedReferrers(table: Table, references: References) {
  return async (workspaceId: string, recordId: string): Promise<NamedReferrer[]> => {
    const found = await references.read(workspaceId, recordId);
    return Promise.all(found.map(async (each) => ({ ...each, name: await nameOf(table, workspaceId, each) })));
  };
}

/**
 * The same for records that dashboards and the like use. Those of `kinds` are asked whether they still use the record;
 * if not, they are forgotten, unless they change meanwhile: then it throws `STALE_WRITE`. So the record is free if
 * nothing is listed, and stays so until the transaction with `References.removeItem`, or that fails.
 */
export function findReferrers(table: Table, kinds: readonly ReferrerKind[], used: UsedKind) {
  const references = referencesTo(table, used);
  return async (workspaceId: string, id: string): Promise<NamedReferrer[]> => {
    const found: NamedReferrer[] = [];
    for (const referrer of await references.read(workspaceId, id)) {
      const kind = kinds.find(({ type }) => type === referrer.type);
      if (!kind) {
        found.push({ ...referrer, name: await nameOf(table, workspaceId, referrer) });
        continue;
      }
      const current = await kind.read(table, workspaceId, referrer.id);
      if (current?.uses.some((use) => isSameUse(use, { kind: used, id }))) {
        found.push({ ...referrer, name: current.name });
      } else {
        await forget(table, references.items({ workspaceId, ...referrer }, [id], []), current?.unchanged ?? []);
      }
    }
    return found;
  };
}

async function forget(table: Table, items: TransactItem[], unchanged: TransactItem[]): Promise<void> {
  try {
    await transact(table, [...items, ...unchanged]);
  } catch (cause) {
    throw failedConditions(cause).size > 0 ? new AppError('STALE_WRITE', { cause }) : cause;
  }
}
