import { bytesOf, type DataFile } from '../../../../../shared/data/tables/data-file.ts';
import { datasetRights } from '../../../../../shared/domains/semantics/queries/index.ts';
import { rightsDeps } from '../../../../../shared/domains/semantics/row-rights/index.ts';
import type { Dataset } from '../../../../../shared/domains/warehouse/datasets/index.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import { everyRecord } from '../../../../../shared/platform/storage/every-record.ts';
import { JobFailure } from '../job-kind.ts';
import type { ExportWorker } from './export-worker.ts';

export interface ExportedDataset {
  dataset: Dataset;
  files: readonly DataFile[];
}

/** The datasets with their files, and those of which the admin may not see every row and column. */
export interface DatasetSelection {
  datasets: ExportedDataset[];
  leftOut: LeftOut[];
  bytes: number;
}

/** Something that an archive does not contain, for its manifest. */
export interface LeftOut {
  kind: 'dataset' | 'model';
  id: string;
  name: string;
  reason: string;
}

/** ZIP readers from before 64-bit sizes take entries of at most 4 GiB, and the scratch disk little more. */
const MAX_BYTES = 4_000_000_000;

const RESTRICTED =
  'Row-level security or sensitivity labels hide rows or columns of the dataset from the admin who made the export.';

/** Admins are not exempt from row-level security. Throws `JobFailure` if the rows do not fit into an archive. */
export async function exportedDatasets(worker: ExportWorker, principal: Principal): Promise<DatasetSelection> {
  const { table, manifest, now } = worker;
  const selection: DatasetSelection = { datasets: [], leftOut: [], bytes: 0 };
  const rights = rightsDeps(table, now);
  for await (const dataset of everyRecord<Dataset>(table, principal.workspaceId, 'dataset')) {
    const { restrictions } = await datasetRights({ rights }, principal, [dataset]);
    const { id, name } = dataset;
    if (restrictions[name]) {
      selection.leftOut.push({ kind: 'dataset', id, name, reason: RESTRICTED });
      continue;
    }
    const files = (await manifest(dataset))?.files ?? [];
    selection.datasets.push({ dataset, files });
    selection.bytes += bytesOf(files);
  }
  if (selection.bytes <= MAX_BYTES) return selection;
  throw new JobFailure(
    'EXPORT_TOO_LARGE',
    'The datasets have more than 4 GB, which is the limit of an archive. Export with `datasetRows: false`, and get their rows as Parquet by query jobs.',
  );
}
