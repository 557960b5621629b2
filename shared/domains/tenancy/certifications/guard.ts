import { currentAct } from '../../../platform/audit/act.ts';
import { isPermitted } from '../../../platform/auth/permissions.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { cleanUpItem } from '../../../platform/storage/clean-ups.ts';
import type { StoredRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import type { EndedCertification } from './clean-ups.ts';
import { recordKey } from './keys.ts';
import {
  type Basis,
  type CertificationRecord,
  type CertifiedObject,
  type CertifiedPlace,
  type CertifiedRef,
  type Dependent,
  entryName,
} from './records.ts';
import { asRead, basisItems, eventItem, readRecord, recordItem } from './store.ts';

/** How many objects that are made from a changed one are ended in the transaction of the change. */
const MAX_AT_ONCE = 5;

/** Reports what a change of meaning does to the certification: `kept` if its author may certify, otherwise `ended`. */
const CERTIFICATION_HEADER = 'x-certification';

type Logs<T> = (before: T | undefined, after: T | undefined) => Promise<TransactItem[]>;

interface Guarded<T> {
  type: CertifiedObject;
  /** What the object means, without what only describes or shows it. */
  meaning?(record: T): unknown;
  /** Whether what is stored beside the record means something else. */
  isOther?: boolean;
  /** Parts of the object whose meaning changes with it. */
  parts?: readonly CertifiedRef[];
  /** What the object is made from, if its certification ends with changes of that too. */
  basis?(record: T): Basis;
}

/**
 * For the `logs` of a `collection`: certifications end in the transaction of the change, on whatever path it comes, if
 * the change is one of meaning and its author may not certify. Workers change nothing on their own, so what they write
 * ends nothing. The certifications go with the object.
 */
export function guardingCertification<T extends StoredRecord>(
  table: Table,
  { type, meaning = () => null, isOther = false, parts = [], basis }: Guarded<T>,
  logs: Logs<T>,
): Logs<T> {
  return async (before, after) => {
    const logged = await logs(before, after);
    if (!before) return logged;
    const { workspaceId, id } = before;
    const place = { workspaceId, type, id };
    const object = { type, id, ...(basis && { basis: basis(before) }) };
    if (!after)
      return [...logged, ...(await basisItems(table, object, undefined)), ...(await endOfCertification(table, place))];
    const isChanged = isOther || parts.length > 0 || JSON.stringify(meaning(before)) !== JSON.stringify(meaning(after));
    const changed = [...(isChanged ? [{ type, id }] : []), ...parts];
    return [...logged, ...(await changeItems(table, { place, object, changed, basis: basis?.(after) }))];
  };
}

interface Changed {
  place: CertifiedPlace;
  object: { type: CertifiedObject; id: string; basis?: Basis };
  changed: readonly CertifiedRef[];
  /** What the object is made from after the change. */
  basis: Basis | undefined;
}

/** Ends what vouches for the changed objects; fails the transaction if they are certified in between. */
async function changeItems(table: Table, { place, object, changed, basis }: Changed): Promise<TransactItem[]> {
  const act = currentAct();
  const caller = act?.caller;
  if (changed.length === 0 || !caller) return [];
  const mayCertify = isPermitted('catalog:certify', caller);
  const record = await readRecord(table, place);
  const isCertified = (ref: CertifiedRef) => record?.entries[entryName(ref)]?.status === 'certified';
  const ended = changed.filter(isCertified);
  const dependents = dependentsOn(record, changed);
  if (ended.length + dependents.length > 0) act.replyHeaders[CERTIFICATION_HEADER] = mayCertify ? 'kept' : 'ended';
  if (mayCertify) {
    if (JSON.stringify(object.basis) === JSON.stringify(basis)) return [];
    return [unchanged(table, place, record), ...(isCertified(object) ? await basisItems(table, object, basis) : [])];
  }
  if (ended.length + dependents.length === 0) return [unchanged(table, place, record)];
  const names = new Set(ended.map(entryName));
  const isLeft = new Set(dependents.map(({ dependent }) => entryName(dependent)));
  return [
    recordItem(table, place, record, {
      entries: without(record!.entries, names),
      ...(record!.dependents && { dependents: without(record!.dependents, isLeft) }),
    }),
    ...(ended.length === 0
      ? []
      : [
          eventItem(table, place, {
            event: 'ended',
            by: caller.userId,
            objects: ended.map((ref) => ({ ref, certification: record!.entries[entryName(ref)]! })),
          }),
        ]),
    ...(ended.some((ref) => ref.type === object.type) ? await basisItems(table, object, undefined) : []),
    ...(await endDependents(table, place.workspaceId, dependents, caller.userId)),
  ];
}

const without = <V>(entries: Record<string, V>, names: ReadonlySet<string>): Record<string, V> =>
  Object.fromEntries(Object.entries(entries).filter(([name]) => !names.has(name)));

interface EndedDependent {
  dependent: Dependent;
  because: CertifiedRef;
}

function dependentsOn(record: CertificationRecord | undefined, changed: readonly CertifiedRef[]): EndedDependent[] {
  const refs = new Map(changed.map((ref) => [entryName(ref), ref]));
  return Object.values(record?.dependents ?? {}).flatMap((dependent) => {
    const because = dependent.on.flatMap((name) => refs.get(name) ?? [])[0];
    return because ? [{ dependent, because }] : [];
  });
}

/**
 * Ends the certifications of a few in the transaction of the change. A transaction has no room for many: the others end
 * just before, so that none outlives the change.
 */
async function endDependents(
  table: Table,
  workspaceId: string,
  ended: readonly EndedDependent[],
  by: string,
): Promise<TransactItem[]> {
  const itemsOf = async ({ dependent: { type, id }, because }: EndedDependent): Promise<TransactItem[]> => {
    const place = { workspaceId, type, id };
    const name = entryName({ type, id });
    const record = await readRecord(table, place);
    const certification = record?.entries[name];
    if (certification?.status !== 'certified') return [];
    return [
      recordItem(table, place, record, { entries: without(record!.entries, new Set([name])) }),
      eventItem(table, place, { event: 'ended', by, objects: [{ ref: { type, id }, certification }], because }),
    ];
  };
  for (const each of ended.slice(MAX_AT_ONCE)) {
    const items = await itemsOf(each);
    try {
      if (items.length > 0) await transact(table, items);
    } catch (cause) {
      if (failedConditions(cause).size > 0) throw new AppError('STALE_WRITE', { cause });
      throw cause;
    }
  }
  return (await Promise.all(ended.slice(0, MAX_AT_ONCE).map(itemsOf))).flat();
}

const unchanged = (table: Table, place: CertifiedPlace, record: CertificationRecord | undefined): TransactItem => ({
  ConditionCheck: { TableName: table.name, Key: recordKey(place), ...asRead(record) },
});

/** For the transaction that removes the object. */
export async function endOfCertification(table: Table, place: CertifiedPlace): Promise<TransactItem[]> {
  if (!(await readRecord(table, place))) return [];
  const { workspaceId, type: objectType, id: objectId } = place;
  const ended: EndedCertification = { kind: 'certification', workspaceId, objectType, objectId };
  return [cleanUpItem(table, ended, table.now())];
}
