import {
  type CheckedTable,
  checkScanConfig,
  findTable,
  listTests,
  MAX_SCANS,
  nameOfTable,
  type QualityScan,
  queuedScan,
  type ScanConfig,
  type ScanRepository,
  type StoredScan,
  showScans,
  type TargetDeps,
  type TestRepository,
  tableKey,
  tableOf,
} from '../../../../shared/domains/quality/index.ts';
import { DATASETS, findPart } from '../../../../shared/domains/semantics/models/index.ts';
import { listAllDatasets } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { type JobContext, startJob } from '../../../../shared/platform/jobs/jobs.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { StartedScans, StartScan } from './schemas.ts';

export interface ScanDeps extends TargetDeps {
  table: Table;
  scans: ScanRepository;
  tests: TestRepository;
  jobs: JobContext;
}

/** Starts the scan of one table. Throws `QUALITY_SCAN_RUNNING` while another one of the table is active. */
export async function startScan(
  deps: ScanDeps,
  { id, principal, scan }: { id: string; principal: Principal; scan: StartScan },
): Promise<QualityScan> {
  const named = await namedTable(deps, principal.workspaceId, scan);
  const table = await findTable(deps, principal.workspaceId, named);
  const { modelId = null, tableId = null, config } = scan;
  checkScanConfig(config, table);
  const stored = await start(deps, principal, { id, table, modelId, tableId, config });
  return (await showScans(deps.jobs.jobs, principal.workspaceId, [stored]))[0]!;
}

/** A model stands for its source, and its table for the table that it reads. */
async function namedTable({ definitions }: ScanDeps, workspaceId: string, scan: StartScan) {
  const { modelId, tableId, tableName, sourceId, schemaName } = scan;
  if (modelId === undefined) {
    if (tableId !== undefined) throw conflict('/tableId', 'is a table of a model; give `modelId` too');
    return { tableName, sourceId, schemaName };
  }
  const definition = await definitions.read({ workspaceId, modelId });
  const source = definition.model.sourceId;
  if (sourceId !== undefined && sourceId !== source)
    throw conflict('/sourceId', `is not the source of the model, ${source}`);
  if (tableId === undefined) return { tableName, sourceId: source, schemaName };
  const place = findPart(definition, 'tables', tableId);
  const found = { sourceId: source, schemaName: place.sourceSchema, tableName: place.sourceTable };
  if (![found.tableName, nameOfTable(found)].includes(tableName)) {
    throw conflict('/tableName', `is not the table that the model reads, which is ${nameOfTable(found)}`);
  }
  return found;
}

const conflict = (pointer: string, message: string) =>
  new AppError('VALIDATION_FAILED', { errors: [{ pointer, code: 'CONFLICT', message }] });

interface NewScan {
  id: string;
  table: CheckedTable;
  modelId: string | null;
  tableId: string | null;
  config: ScanConfig;
}

/** The scan and its job are stored together, so that neither exists without the other. */
async function start(deps: ScanDeps, principal: Principal, scan: NewScan): Promise<StoredScan> {
  const { workspaceId, userId } = principal;
  const { table, ...others } = scan;
  const { id } = scan;
  const stored = queuedScan({ workspaceId, ...tableOf(table), ...others, createdBy: userId }, deps.jobs.now());
  await startJob(
    deps.jobs,
    {
      id,
      workspaceId,
      kind: 'quality_scan',
      subjectId: stored.tableKey,
      trigger: { kind: 'manual', scheduledAt: null, actor: userId },
      input: {},
    },
    'QUALITY_SCAN_RUNNING',
    deps.scans.createItems([stored]),
  );
  return (await deps.scans.get(workspaceId, id)) ?? stored;
}

const STARTED_AT_ONCE = 100;

/** Starts a scan of every table that the workspace works with. */
export async function scanKnownTables(deps: ScanDeps, principal: Principal): Promise<StartedScans> {
  const { workspaceId } = principal;
  const { known, empty } = await knownTables(deps, workspaceId);
  const skipped: StartedScans['skipped'] = empty.map((tableName) => ({ tableName, reason: 'no_rows' }));
  const started: StoredScan[] = [];
  for (const table of known) {
    const tableName = nameOfTable(table);
    if (started.length === STARTED_AT_ONCE) {
      skipped.push({ tableName, reason: 'limit' });
      continue;
    }
    try {
      const id = newId(deps.jobs.now());
      started.push(await start(deps, principal, { id, table, modelId: null, tableId: null, config: {} }));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'QUALITY_SCAN_RUNNING') throw error;
      skipped.push({ tableName, reason: 'scan_running' });
    }
  }
  return { started: await showScans(deps.jobs.jobs, workspaceId, started), skipped };
}

/** Datasets, and tables of data sources that someone has scanned or tests. */
async function knownTables(deps: ScanDeps, workspaceId: string): Promise<{ known: CheckedTable[]; empty: string[] }> {
  const datasets = await listAllDatasets(deps.table, workspaceId);
  const tests = await listTests(deps.tests, workspaceId, ({ isActive, sourceId }) => isActive && sourceId !== DATASETS);
  const scans = await deps.scans.list(workspaceId, {
    limit: MAX_SCANS,
    offset: 0,
    matches: ({ sourceId }) => sourceId !== DATASETS,
  });
  const outside = new Map<string, CheckedTable>();
  for (const table of [...tests, ...scans.items]) outside.set(tableKey(table), table);
  const withRows = datasets.filter(({ version }) => version > 0);
  return {
    known: [
      ...withRows.map(({ name }) => ({ sourceId: DATASETS, schemaName: '', tableName: name })),
      ...outside.values(),
    ],
    empty: datasets.filter(({ version }) => version === 0).map(({ name }) => name),
  };
}
