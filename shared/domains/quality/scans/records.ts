import type { Static } from 'typebox';
import * as Type from 'typebox';
import { MAX_FULL_ROWS, SAMPLE_ROWS } from '../../../data/profiles/profile.ts';
import { SEMANTIC_TYPES } from '../../../data/profiles/semantic-types.ts';
import { Id, Nullable, StrictObject, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { JobError } from '../../../platform/jobs/record.ts';
import { type CheckedTable, tableKey } from '../table.ts';
import { FreshnessConfig } from './freshness.ts';
import type { ScanChecks } from './history.ts';
import type { NewestMoments } from './newest-moments.ts';

export const SCAN_STATUSES = ['queued', 'running', 'succeeded', 'failed'] as const;

export const ScanConfig = StrictObject(
  {
    columns: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
        minItems: 1,
        maxItems: 500,
        uniqueItems: true,
        description: 'The columns to profile. Omit it for all.',
      }),
    ),
    sampleRows: Type.Optional(
      Type.Integer({
        minimum: 1000,
        maximum: MAX_FULL_ROWS,
        description: `Larger tables are profiled from a sample of about this many rows. Omit it to read tables of up to ${MAX_FULL_ROWS.toLocaleString('en')} rows in full, and ${SAMPLE_ROWS.toLocaleString('en')} rows of larger ones.`,
      }),
    ),
    topK: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'How many frequent values to list. Omit it for 20.' }),
    ),
    detect: Type.Optional(
      Type.Array(StringEnum(SEMANTIC_TYPES), {
        maxItems: SEMANTIC_TYPES.length,
        uniqueItems: true,
        description: 'The meanings to look for. Omit it for all.',
      }),
    ),
    freshness: Type.Optional(FreshnessConfig),
  },
  { description: 'What a scan reads and looks for.' },
);
export type ScanConfig = Static<typeof ScanConfig>;

export const QualityScan = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    sourceId: Type.String({ description: 'The data source of the table; `datasets` for a dataset.' }),
    schemaName: Type.String({ description: 'Empty for a dataset.' }),
    tableName: Type.String(),
    modelId: Nullable(Id),
    tableId: Nullable(Id),
    config: ScanConfig,
    status: StringEnum(SCAN_STATUSES),
    progressPct: Nullable(
      Type.Number({ description: 'The percentage of the columns that a running scan has profiled.' }),
    ),
    datasetVersion: Nullable(Type.Integer({ description: 'The version of the dataset that was read.' })),
    columnCount: Nullable(Type.Integer()),
    isSampled: Nullable(Type.Boolean({ description: 'Whether some figures are estimates from a sample of the rows.' })),
    error: Nullable(JobError),
    createdBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    finishedAt: Nullable(Timestamp),
  },
  { $id: 'DataQualityScan', description: 'One reading of a table that profiles its columns.' },
);
export type QualityScan = Static<typeof QualityScan>;

/** The job of a scan has the same id. While it is active, its status is that of the scan. */
export interface StoredScan extends Omit<QualityScan, 'progressPct'> {
  tableKey: string;
  /** The dataset that was read, since another one may get its name. Absent before the end. */
  datasetId?: string | null;
  /** The object with the profile of a scan that succeeded. */
  profileKey: string | null;
  /** The object with the history of the table as of the scan. */
  historyKey: string | null;
}

type NewScan = Pick<
  StoredScan,
  'id' | 'workspaceId' | 'sourceId' | 'schemaName' | 'tableName' | 'modelId' | 'tableId' | 'config' | 'createdBy'
>;

/** A scan on which no worker has begun. */
export const queuedScan = (scan: NewScan, at: Date): StoredScan => ({
  ...scan,
  tableKey: tableKey(scan),
  status: 'queued',
  datasetVersion: null,
  columnCount: null,
  isSampled: null,
  error: null,
  profileKey: null,
  historyKey: null,
  createdAt: at.toISOString(),
  updatedAt: at.toISOString(),
  finishedAt: null,
});

/** What the job of a scan reports. */
export interface ScanReport {
  table: CheckedTable;
  profileKey: string;
  columnCount: number;
  isSampled: boolean;
  /** Null for tables of data sources, like the version. */
  datasetId: string | null;
  datasetVersion: number | null;
  /** The object with the days that the next scan is compared with. */
  historyKey: string;
  checks: Pick<ScanChecks, 'days' | 'anomalies'>;
  /** Absent for tables without dates. */
  newest?: NewestMoments | undefined;
}
