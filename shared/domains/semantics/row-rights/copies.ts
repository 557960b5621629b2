import { createHash } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { isPermitted } from '../../../platform/auth/permissions.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import type { SourcePlace } from '../models/index.ts';
import { type Definer, definerOf, definerPrincipal } from './definers.ts';
import { type CopyDeps, findTables, listed, type Search } from './hidden-tables.ts';
import { once } from './once.ts';
import { type Reader, readerOf } from './reader.ts';
import type { Reads } from './reads.ts';

/** What stores or sends rows of other tables, or counts of them, for others. */
export const COPY_KINDS = ['dataset', 'pipeline', 'cdc_stream', 'quality_test'] as const;
export type CopyKind = (typeof COPY_KINDS)[number];

/** A definition of a copy. With another definition it is another copy: nothing that was allowed before goes for it. */
export interface CopyPlace {
  workspaceId: string;
  kind: CopyKind;
  id: string;
  /** A digest of what decides which rows are copied. */
  definition: string;
}

export interface CopyRecord {
  /** Null if it is not known. */
  definer: Definer | null;
  /** The tables of which the definer did not see everything when an admin allowed the copy. */
  allowed?: { by: string; at: string; tables: string[] };
}

/** Members may come in another order from the table. */
export const copyDefinition = (definition: unknown): string =>
  createHash('sha256').update(JSON.stringify(definition, sorted)).digest('hex');

const sorted = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const copyKey = ({ workspaceId, kind, id, definition }: CopyPlace): Key =>
  workspaceKey(workspaceId, 'COPY', `${kind}#${id}#${definition}`);

/** For the transaction that stores a definition. */
export const copyItem = (table: Table, place: CopyPlace, record: CopyRecord): TransactItem => ({
  Put: { TableName: table.name, Item: { ...record, ...copyKey(place), entity: 'copy' } },
});

/** For a definition of the caller. */
export const definedItem = (table: Table, place: CopyPlace, principal: Principal): TransactItem =>
  copyItem(table, place, { definer: definerOf(principal) });

/** For the transaction that removes the copy. */
export const removeCopyItem = (table: Table, place: CopyPlace): TransactItem => ({
  Delete: { TableName: table.name, Key: copyKey(place) },
});

export async function readCopy(table: Table, place: CopyPlace): Promise<CopyRecord | undefined> {
  const found = await table.db.send(
    new GetCommand({ TableName: table.name, Key: copyKey(place), ConsistentRead: true }),
  );
  return found.Item && toRecord<CopyRecord>(found.Item);
}

/** A copy with what it reads. Until it has a definer, its creator counts as such. */
export interface Copy {
  place: CopyPlace;
  createdBy(): Promise<string | null>;
  reads: Reads;
}

export const COPY_REASONS = [
  'definer_sees_all',
  'definer_is_admin',
  'allowed_by_admin',
  'definer_sees_less',
  'definer_gone',
] as const;
export type CopyReason = (typeof COPY_REASONS)[number];

export interface CopyCheck {
  /** The protected tables that it reads. */
  tables: string[];
  /** Those of which the definer does not see everything. */
  hidden: string[];
  /** Those of which neither the definer sees everything nor an admin has allowed a copy. */
  refused: string[];
  reason: CopyReason;
}

/**
 * Whether a copy may read on: its definer sees all rows and columns that it reads as of now, or manages policies, or an
 * admin has allowed this definition. Evaluated at every refresh, run and capture, so that it goes for policies that
 * came later. One short read where nothing is protected.
 */
export async function checkCopy(deps: CopyDeps, { place, createdBy, reads }: Copy): Promise<CopyCheck> {
  const { workspaceId } = place;
  const record = once(() => readCopy(deps.table, place));
  const definer = once(async () => {
    const stored = await record();
    const creator = stored ? null : await createdBy();
    const found = stored ? stored.definer : creator === null ? null : { userId: creator };
    return found ? definerPrincipal(deps, workspaceId, found) : undefined;
  });
  const reader = once(async () => {
    const principal = await definer();
    return principal ? readerOf(deps.table, principal) : NO_READER;
  });
  const search = { workspaceId, reader };
  const tables = await findTables(deps, { ...search, counted: (rights) => rights.protected }, reads);
  const sees = { tables, hidden: [], refused: [] };
  if (tables.length === 0) return { ...sees, reason: 'definer_sees_all' };
  const principal = await definer();
  if (principal && isPermitted('model-policies:manage', principal)) {
    return { ...sees, reason: 'definer_is_admin' };
  }
  const hidden = principal
    ? await findTables(deps, { ...search, counted: ({ restricted }) => restricted }, reads)
    : tables;
  if (hidden.length === 0) return { ...sees, reason: 'definer_sees_all' };
  const allowed = new Set((await record())?.allowed?.tables);
  const refused = hidden.filter((name) => !allowed.has(name));
  if (refused.length === 0) return { tables, hidden, refused, reason: 'allowed_by_admin' };
  return { tables, hidden, refused, reason: principal ? 'definer_sees_less' : 'definer_gone' };
}

const NO_READER: Reader = {
  subjects: [],
  values: { id: '', email: '', role: '', groups: [], attributes: {} },
  hasEmail: false,
  labels: new Set(),
};

/** Why a copy does not go on; undefined if it may. */
export async function whyRefused(deps: CopyDeps, copy: Copy): Promise<string | undefined> {
  const { refused, reason } = await checkCopy(deps, copy);
  if (refused.length === 0) return undefined;
  const who =
    reason === 'definer_gone'
      ? 'the person or key that defined this no longer has access'
      : 'the person or key that defined this may not see all of it';
  return `Row-level security or sensitivity labels protect ${listed(refused)}, and ${who}. A workspace admin can allow the copy with PUT /api/models/{modelId}/copies/${copy.place.kind}/${copy.place.id}, or define it again.`;
}

/** The names of the protected tables that are read, of those that are wanted. */
export const tablesRead = (
  deps: CopyDeps,
  workspaceId: string,
  reads: Reads,
  isWanted: (place: SourcePlace) => boolean,
): Promise<string[]> => {
  const counted: Search['counted'] = (rights) => rights.protected.filter(({ place }) => isWanted(place));
  return findTables(deps, { workspaceId, reader: async () => NO_READER, counted }, reads);
};
