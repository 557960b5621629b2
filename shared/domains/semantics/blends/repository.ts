import { auditedRecords } from '../../../platform/audit/records.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { withReferences } from '../../../platform/storage/references.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { modelReferences, tableReferences } from '../models/index.ts';
import type { BlendRecord } from './records.ts';

export interface BlendRepository extends Pick<Collection<BlendRecord>, 'key' | 'get' | 'list' | 'readAll'> {
  /** Throws `BLEND_NAME_TAKEN`, or `STALE_WRITE` if a model was deleted in between. */
  create(blend: BlendRecord): Promise<BlendRecord>;
  /** Throws the same codes. */
  replace(previous: BlendRecord, next: BlendRecord): Promise<BlendRecord>;
  /** `last` are the last items of the transaction. */
  remove(blend: BlendRecord, also: TransactItem[], last: TransactItem[]): Promise<void>;
}

/** Blends, each of them known to its models and their tables, which cannot be deleted as long as it joins them. */
export function blendRepository(table: Table): BlendRepository {
  const blends = collection<BlendRecord>(table, {
    entity: 'blend',
    versioned: true,
    unique: { of: ({ name }) => name, taken: 'BLEND_NAME_TAKEN' },
    logs: auditedRecords<BlendRecord>(table, {
      subject: 'blend',
      name: ({ name }) => name,
      members: {
        name: 'shown',
        description: 'shown',
        leftTableId: 'shown',
        leftAlias: 'shown',
        rightTableId: 'shown',
        rightAlias: 'shown',
        keys: 'shown',
      },
    }),
  });
  const gone = (cause: unknown) => new AppError('STALE_WRITE', { cause });
  return {
    key: blends.key,
    get: blends.get,
    list: blends.list,
    readAll: blends.readAll,
    create: (blend) => withReferences(referenceItems(table, null, blend), (items) => blends.create(blend, items), gone),
    replace: (previous, next) =>
      withReferences(
        referenceItems(table, previous, next),
        (items) => blends.replace(previous, next, 'STALE_WRITE', items),
        gone,
      ),
    remove: (blend, also, last) =>
      blends.remove(blend, 'STALE_WRITE', [...also, ...referenceItems(table, blend, null), ...last]),
  };
}

function referenceItems(table: Table, previous: BlendRecord | null, next: BlendRecord | null): TransactItem[] {
  const { workspaceId, id } = (next ?? previous)!;
  const referrer = { workspaceId, type: 'blend', id } as const;
  const [before, after] = [previous, next].map((blend) => (blend ? placesOf(blend) : [])) as [Place[], Place[]];
  const models = (places: readonly Place[]) => [...new Set(places.map(({ modelId }) => modelId))];
  const tables = (places: readonly Place[], model: string) =>
    places.filter(({ modelId }) => modelId === model).map(({ tableId }) => tableId);
  return [
    ...models([...before, ...after]).flatMap((modelId) =>
      tableReferences(table, modelId).items(referrer, tables(before, modelId), tables(after, modelId)),
    ),
    ...modelReferences(table).items(referrer, models(before), models(after)),
  ];
}

interface Place {
  modelId: string;
  tableId: string;
}

const placesOf = ({ leftModelId, leftTableId, rightModelId, rightTableId }: BlendRecord): Place[] => [
  { modelId: leftModelId, tableId: leftTableId },
  { modelId: rightModelId, tableId: rightTableId },
];
