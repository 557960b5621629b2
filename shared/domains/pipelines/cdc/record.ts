import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, Nullable, StrictObject, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
/** The columns that a stream adds to those of its table. */
export const CDC_COLUMNS = ['_cdc_op', '_cdc_lsn', '_cdc_committed_at', '_cdc_deleted'] as const;

export const CDC_TABLE_STATUSES = ['pending', 'snapshotting', 'streaming', 'paused', 'error'] as const;
export type CdcTableStatus = (typeof CDC_TABLE_STATUSES)[number];

export const CDC_STREAM_STATUSES = [
  'creating',
  'snapshotting',
  'streaming',
  'lagging',
  'degraded',
  'paused',
  'error',
  'deleting',
] as const;
export type CdcStreamStatus = (typeof CDC_STREAM_STATUSES)[number];

/** `polling` reads every ten seconds; `streaming` needs the capture stack, without which it reads once a minute. */
export const CAPTURE_MODES = ['polling', 'streaming'] as const;
/** What happens when the source keeps more of its log for the stream than the limit. The alert is sent in any case. */
export const WAL_LIMIT_ACTIONS = ['alert', 'pause', 'drop'] as const;

const GIB = 1024 ** 3;
export const DEFAULT_WAL_LIMIT_BYTES = 10 * GIB;

/** `orders` is `public.orders`. */
const TableName = Type.String({
  pattern: '^([^."\\u0000]{1,63}\\.)?[^."\\u0000]{1,63}$',
  description: '`table` or `schema.table`; without a schema, `public`.',
});
const TableNames = Type.Array(TableName, { minItems: 1, maxItems: 100, uniqueItems: true });

const settings = {
  capture: Type.Optional(
    StringEnum(CAPTURE_MODES, {
      default: 'polling',
      description:
        'How changes are read: `polling` every ten seconds, `streaming` immediately, or every minute where it is not deployed.',
    }),
  ),
  walLimitBytes: Type.Optional(
    Type.Integer({
      minimum: 64 * 1024 ** 2,
      maximum: 1024 * GIB,
      default: DEFAULT_WAL_LIMIT_BYTES,
      description: 'How much of its write-ahead log the source may keep for the stream.',
    }),
  ),
  onWalLimit: Type.Optional(
    StringEnum(WAL_LIMIT_ACTIONS, {
      default: 'alert',
      description:
        'What to do beyond the limit. `drop` removes the slot, so that the source can remove its log; the stream then needs a resync.',
    }),
  ),
};

export const CreateCdcStream = StrictObject(
  {
    sourceId: Id,
    streamId: Type.String({ pattern: '^[a-z0-9_]{1,40}$', description: 'A name, unique for the data source.' }),
    tables: TableNames,
    ...settings,
  },
  { $id: 'CreateCdcStream', description: 'The tables to follow, and how.' },
);
export type CreateCdcStream = Static<typeof CreateCdcStream>;

export const UpdateCdcStream = StrictObject(
  { enabled: Type.Boolean(), tables: Type.Optional(TableNames), ...settings },
  { $id: 'UpdateCdcStream', description: 'Whether the stream is enabled, and the settings to change.' },
);
export type UpdateCdcStream = Static<typeof UpdateCdcStream>;

export const ResyncCdcStream = StrictObject(
  { tables: Type.Optional(TableNames) },
  { $id: 'ResyncCdcStream', description: 'The tables to read again; omit them for all, with a new slot.' },
);

const CdcError = Type.Object(
  { code: Type.String(), message: Type.String() },
  { $id: 'CdcError', description: 'Why a stream or a table has stopped.' },
);
export type CdcError = Static<typeof CdcError>;

const Position = Nullable(Type.String({ description: "A position in the source's log, such as `00000000/01A2B3C4`." }));

export const CdcTable = Type.Object(
  {
    name: Type.String(),
    status: StringEnum(CDC_TABLE_STATUSES),
    rows: Type.Integer({ description: 'Rows of the snapshot and changes that were captured so far.' }),
    lastLsn: Position,
    error: Nullable(CdcError),
  },
  { $id: 'CdcTable', description: 'A table that a stream follows.' },
);
export type CdcTable = Static<typeof CdcTable>;

export const CdcStream = Type.Object(
  {
    id: Id,
    sourceId: Id,
    streamId: Type.String(),
    tables: Type.Array(CdcTable),
    enabled: Type.Boolean(),
    status: StringEnum(CDC_STREAM_STATUSES),
    error: Nullable(CdcError),
    capture: StringEnum(CAPTURE_MODES),
    slotName: Type.String({ description: 'The name of the replication slot and of the publication.' }),
    walStatus: Nullable(
      Type.String({ description: 'The status in Postgres: `reserved`, `extended`, `unreserved` or `lost`.' }),
    ),
    retainedWalBytes: Nullable(Type.Integer()),
    walLimitBytes: Type.Integer(),
    onWalLimit: StringEnum(WAL_LIMIT_ACTIONS),
    lagSeconds: Nullable(
      Type.Number({ description: 'How far the capture is behind the source; null before it has caught up once.' }),
    ),
    confirmedLsn: Position,
    committedLsn: Position,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'CdcStream', description: 'A capture of the changes of tables of a Postgres source.' },
);
export type CdcStream = Static<typeof CdcStream>;

/** The requested settings of a stream. The capture applies them and stores its progress in a `CaptureState`. */
export interface StoredStream {
  id: string;
  workspaceId: string;
  sourceId: string;
  streamId: string;
  /** Names are qualified with their schemas. A generation counts the requested snapshots. */
  tables: { name: string; generation: number }[];
  /** Counts the requested slots. */
  slotGeneration: number;
  slotName: string;
  enabled: boolean;
  capture: (typeof CAPTURE_MODES)[number];
  walLimitBytes: number;
  onWalLimit: (typeof WAL_LIMIT_ACTIONS)[number];
  /** When the deletion was requested; it is complete when the slot has been dropped in the source. */
  deletedAt?: string;
  createdBy: string;
  createdAt: string;
  updatedAt: string;
}

/** `orders` and `public.orders` are the same table. */
export const qualified = (name: string): string => (name.includes('.') ? name : `public.${name}`);

export function partsOf(name: string): { schema: string; table: string } {
  const [schema = '', table = ''] = name.split('.');
  return { schema, table };
}
