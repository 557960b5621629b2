import type { Dataset, Manifest } from '../../../shared/datasets/record.ts';
import type { DatasetRepository } from '../../../shared/datasets/repository.ts';
import type { EngineFunction } from '../../../shared/engine-function/client.ts';
import type { TableInput } from '../../../shared/engine-function/protocol.ts';
import { AppError } from '../../../shared/errors/app-error.ts';
import { JsonText } from '../../../shared/http/json-text.ts';
import type { QueryBody } from '../schemas.ts';

/** A function's answer may have 6 MB, in which rows are quoted text: that can double them. */
const MOST_RESULT_BYTES = 2.75 * 1024 * 1024;

interface Deps {
  datasets: DatasetRepository;
  manifest: (dataset: Dataset) => Promise<Manifest | undefined>;
  engine: EngineFunction;
}

/** Runs the statement over the named datasets as they are now. */
export async function runQuery(
  deps: Deps,
  command: QueryBody & { workspaceId: string; queryId: string },
): Promise<JsonText> {
  const datasets = await readable(deps, command);
  const mentioned = datasets.filter(({ name }) => isMentioned(name, command.sql));
  const tables = await Promise.all(mentioned.map((dataset) => tableOf(deps, dataset)));
  const answer = await deps.engine.query({
    sql: command.sql,
    params: command.params,
    tables: tables.filter((table) => table.columns.length > 0),
    limit: command.limit,
    maxBytes: MOST_RESULT_BYTES,
    timeoutMs: command.timeoutMs,
  });
  const { columns, rowsJson, rowCount, truncated, warnings, ms } = answer;
  const read = mentioned.filter(({ name }) => answer.tables.includes(name));
  const stats = { ms, bytes: read.reduce((sum, dataset) => sum + dataset.sizeBytes, 0) };
  return JsonText.of({ queryId: command.queryId, columns, rowCount, truncated, warnings, stats }, { rows: rowsJson });
}

/** A first sieve, so that few manifests are read: the engine finds out what the statement really reads. */
function isMentioned(name: string, sql: string): boolean {
  return sql.toLowerCase().includes(name.toLowerCase().replaceAll('"', '""'));
}

/** The datasets that were named, or every one of the workspace. */
async function readable(deps: Deps, command: QueryBody & { workspaceId: string }): Promise<Dataset[]> {
  const { workspaceId, datasetIds } = command;
  if (datasetIds) {
    const found = await deps.datasets.getMany(workspaceId, datasetIds);
    const missing = datasetIds.flatMap((id, index) =>
      found.some((dataset) => dataset.id === id)
        ? []
        : [{ pointer: `/datasetIds/${index}`, code: 'NOT_FOUND', message: 'is no dataset of this workspace' }],
    );
    if (missing.length > 0) throw new AppError('DATASET_NOT_FOUND', { errors: missing });
    return found;
  }
  const all: Dataset[] = [];
  for (let offset = 0; ; offset += 200) {
    const page = await deps.datasets.list(workspaceId, { limit: 200, offset });
    all.push(...page.items);
    if (offset + 200 >= page.total) return all;
  }
}

async function tableOf(deps: Deps, dataset: Dataset): Promise<TableInput> {
  const manifest = await deps.manifest(dataset);
  return { name: dataset.name, columns: dataset.columns, files: manifest?.files ?? [] };
}
