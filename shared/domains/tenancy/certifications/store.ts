import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { changedMembers } from '../../../platform/audit/changes.ts';
import { type AuditedChange, auditItems } from '../../../platform/audit/entry.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { newId } from '../../../platform/storage/ids.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import { jsonBytes } from '../../../platform/storage/page.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { eventKey, recordKey, recordsOf } from './keys.ts';
import {
  type Basis,
  type Certification,
  type CertificationEvent,
  type CertificationRecord,
  type CertifiedObject,
  type CertifiedPlace,
  type CertifiedRef,
  type CertifiedType,
  entryName,
  type Listing,
  type StoredEvent,
} from './records.ts';

/** The certifications of an object and its parts are one item, as are the names of what is made from them. */
const MAX_ENTRIES = 100;
const MAX_DEPENDENTS = 200;
const MAX_BYTES = 350 * 1024;
const KEPT_SECONDS = 3 * 365 * 24 * 60 * 60;

/** What is certified. */
export interface Certified extends CertifiedRef {
  /** What a caller can name as the state that was read. */
  revision: number;
  /** The object itself, or the model of the part. */
  place: CertifiedPlace;
  name: string;
  /** What the object is made from, if its certification ends with changes of that too. */
  basis?: Basis;
  /** Fails the transaction once the object is no longer as it was read. */
  unchanged: TransactItem;
}

export const unchangedItem = (
  table: Table,
  Key: Key,
  seen: { revision: number } | { updatedAt: string },
): TransactItem => ({
  ConditionCheck: {
    TableName: table.name,
    Key,
    ConditionExpression: '#seen = :seen',
    ExpressionAttributeNames: { '#seen': Object.keys(seen)[0]! },
    ExpressionAttributeValues: { ':seen': Object.values(seen)[0] },
  },
});

export interface Certifications {
  read(place: CertifiedPlace): Promise<CertificationRecord | undefined>;
  find(place: CertifiedPlace, ref: CertifiedRef): Promise<Certification | undefined>;
  /** Those of a kind, by the id of the object. */
  ofKind(workspaceId: string, type: CertifiedObject): Promise<ReadonlyMap<string, Certification>>;
  readAll(workspaceId: string): Promise<CertificationRecord[]>;
  /** Newest first. */
  history(place: CertifiedPlace, ref: CertifiedRef): Promise<CertificationEvent[]>;
  /**
   * Sets the certification, or withdraws it. `also` are the last items of the transaction. Throws `CERTIFICATION_FULL`,
   * and `STALE_WRITE` if the object has changed since it was read.
   */
  set(
    certified: Certified,
    certification: Certification | null,
    by: string,
    also?: readonly TransactItem[],
  ): Promise<void>;
  /** Changes what the catalog says about the object. Throws `STALE_WRITE` if the object has changed since. */
  setListing(object: Certified, change: Partial<Listing>): Promise<void>;
}

export function certifications(table: Table): Certifications {
  const read = (place: CertifiedPlace) => readRecord(table, place);
  return {
    read,
    find: async (place, ref) => (await read(place))?.entries[entryName(ref)],

    async ofKind(workspaceId, type) {
      const items = await Array.fromAsync(itemsBelow(table, recordsOf(workspaceId, type)));
      const records = items.map((item) => toRecord<CertificationRecord>(item));
      return new Map(
        records.flatMap(({ objectId: id, entries }) => {
          const entry = entries[entryName({ type, id })];
          return entry ? [[id, entry] as const] : [];
        }),
      );
    },

    async readAll(workspaceId) {
      const items = await Array.fromAsync(itemsBelow(table, recordsOf(workspaceId)));
      return items.map((item) => toRecord<CertificationRecord>(item));
    },

    async history(place, { type, id }) {
      const items = await Array.fromAsync(itemsBelow(table, eventKey(place, ''), { newestFirst: true }));
      return items.flatMap((item) => {
        const { objects, id: eventId, event, by, at, because } = toRecord<StoredEvent>(item);
        const own = objects.filter(({ ref }) => ref.type === type && ref.id === id);
        return own.map(({ certification }) => ({
          id: eventId,
          event,
          by,
          at,
          certification,
          ...(because && { because }),
        }));
      });
    },

    set: (certified, certification, by, also = []) =>
      onNewest('STALE_WRITE', async () => {
        const before = await read(certified.place);
        const current = before?.entries[entryName(certified)];
        if (!current && !certification) return;
        const items = [
          ...changeItems(table, certified, { before, certification, by }),
          ...(await basisItems(table, certified, certification?.status === 'certified' ? certified.basis : undefined)),
          ...(await auditItems(table, auditedChange(certified, current, certification))),
          ...also,
        ];
        try {
          await transact(table, items);
        } catch (cause) {
          if (failedConditions(cause).size > 0) throw new AppError('STALE_WRITE', { cause });
          throw cause;
        }
      }),

    async setListing({ place, unchanged, type, id, name }, change) {
      const record = await read(place);
      const before = record?.listing ?? NO_LISTING;
      const listing = { ...before, ...change };
      const audit = await auditItems(table, {
        action: 'asset.updated',
        object: { type, id, name },
        ...changedMembers<Listing>({ ownerIds: 'shown', domainId: 'shown', tags: 'shown' }, before, listing),
      });
      try {
        await transact(table, [unchanged, recordItem(table, place, record, { listing }), ...audit]);
      } catch (cause) {
        if (failedConditions(cause).size > 0) throw new AppError('STALE_WRITE', { cause });
        throw cause;
      }
    },
  };
}

const NO_LISTING: Listing = { ownerIds: [], domainId: null, tags: [] };

/** Throws `CERTIFICATION_FULL`. */
function changeItems(
  table: Table,
  { place, unchanged, type, id }: Certified,
  change: { before: CertificationRecord | undefined; certification: Certification | null; by: string },
): TransactItem[] {
  const { before, certification, by } = change;
  const ref = { type, id };
  const { [entryName(ref)]: current, ...others } = before?.entries ?? {};
  const entries = certification ? { ...others, [entryName(ref)]: certification } : others;
  if (Object.keys(entries).length > MAX_ENTRIES) throw new AppError('CERTIFICATION_FULL');
  const event = certification ? certification.status : 'withdrawn';
  const objects = [{ ref, certification: (certification ?? current)! }];
  return [unchanged, recordItem(table, place, before, { entries }), eventItem(table, place, { event, by, objects })];
}

/**
 * Makes the object known to `basis`, or no longer to what it was made from. The record of the basis changes with every
 * certification, so that a change of the basis at the same time fails and meets it when it is repeated.
 */
export async function basisItems(
  table: Table,
  { type, id, basis: current }: Pick<Certified, 'id' | 'basis'> & { type: CertifiedType },
  basis: Basis | undefined,
): Promise<TransactItem[]> {
  const places = new Map([current, basis].flatMap((each) => (each ? [[each.place.id, each.place] as const] : [])));
  const name = entryName({ type, id });
  const items = [...places.values()].map(async (place) => {
    const record = await readRecord(table, place);
    const { [name]: known, ...others } = record?.dependents ?? {};
    const isOn = basis !== undefined && basis.place.id === place.id;
    if (!isOn && !known) return [];
    const on = isOn ? basis.parts.map(entryName) : [];
    const dependents = isOn ? { ...others, [name]: { type: type as CertifiedObject, id, on } } : others;
    if (Object.keys(dependents).length > MAX_DEPENDENTS) throw new AppError('CERTIFICATION_FULL');
    return [recordItem(table, place, record, { dependents })];
  });
  return (await Promise.all(items)).flat();
}

const auditedChange = (
  { type, id, name }: Certified,
  before: Certification | undefined,
  after: Certification | null,
): AuditedChange => ({
  action: 'certification.updated',
  object: { type, id, name },
  ...(before && { before: { ...before } }),
  ...(after && { after: { ...after } }),
});

export async function readRecord(table: Table, place: CertifiedPlace): Promise<CertificationRecord | undefined> {
  const Key = recordKey(place);
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return Item && toRecord<CertificationRecord>(Item);
}

/** Fails the transaction if the record is no longer as it was read. Throws `CERTIFICATION_FULL`. */
export function recordItem(
  table: Table,
  place: CertifiedPlace,
  before: CertificationRecord | undefined,
  change: Partial<Pick<CertificationRecord, 'entries' | 'dependents' | 'listing'>>,
): TransactItem {
  const { workspaceId, type: objectType, id: objectId } = place;
  const next: CertificationRecord = {
    ...{ workspaceId, objectType, objectId, entries: {} },
    ...before,
    ...change,
    revision: (before?.revision ?? 0) + 1,
  };
  if (jsonBytes(next) > MAX_BYTES) throw new AppError('CERTIFICATION_FULL');
  return {
    Put: {
      TableName: table.name,
      Item: { ...next, ...recordKey(place), entity: 'certification' },
      ...asRead(before),
    },
  };
}

export const asRead = (before: CertificationRecord | undefined) =>
  before
    ? { ConditionExpression: 'revision = :seen', ExpressionAttributeValues: { ':seen': before.revision } }
    : { ConditionExpression: 'attribute_not_exists(pk)' };

export function eventItem(table: Table, place: CertifiedPlace, event: Omit<StoredEvent, 'id' | 'at'>): TransactItem {
  const now = table.now();
  const id = newId(now);
  const stored: StoredEvent = { ...event, id, at: now.toISOString() };
  const expiresAt = Math.floor(now.getTime() / 1000) + KEPT_SECONDS;
  return {
    Put: {
      TableName: table.name,
      Item: { ...stored, ...eventKey(place, id), entity: 'certification-event', expiresAt },
    },
  };
}
