import { folded } from '../../../data/duckdb/column-names.ts';
import type { Catalogue } from '../../warehouse/sources/index.ts';
import { datasetReadBy } from './configs/extract.ts';
import type { Dag, Step } from './dag.ts';
import { loadedDatasets } from './dataset-issues.ts';
import { referencesIn } from './references.ts';
import type { Source, Sources } from './source-issues.ts';

/** The columns of the dataset or table that an extract reads. */
export interface SourceColumns {
  names: string[];
  dialect: 'duckdb' | 'postgres' | 'mysql';
  /** When the catalogue was read that has them; absent for datasets, whose columns are always current. */
  syncedAt?: string;
}

/** What the extracts of a definition read. The columns of other extracts are unknown. */
export type ExtractColumns = [stepId: string, SourceColumns][];

export interface SourceColumnReaders {
  datasets(): Promise<readonly { name: string; columns: readonly { name: string }[] }[]>;
  /** Undefined before the first sync of the source. */
  catalogue(source: Source): Promise<{ syncedAt: string; content: Catalogue } | undefined>;
}

/** More would not fit into a call of the engine function beside the definition. */
const MAX_CHARACTERS = 1_000_000;

/** The columns of datasets as they are now, and of tables as the last sync of their source has found them. */
export async function findExtractColumns(
  dag: Dag,
  sources: Sources,
  readers: SourceColumnReaders,
): Promise<ExtractColumns> {
  const found: ExtractColumns = [];
  let characters = 0;
  for (const step of dag.steps.filter(({ type }) => type === 'extract')) {
    const columns = (await datasetColumns(dag, step, readers)) ?? (await tableColumns(step, sources, readers));
    if (!columns || columns.names.length === 0) continue;
    characters += columns.names.join().length;
    if (characters > MAX_CHARACTERS) break;
    found.push([step.id, columns]);
  }
  return found;
}

async function datasetColumns(dag: Dag, step: Step, readers: SourceColumnReaders): Promise<SourceColumns | undefined> {
  const name = datasetReadBy(step);
  if (name === undefined || referencesIn(name).length > 0) return undefined;
  const isIt = (other: string) => other.toLowerCase() === name.toLowerCase();
  // A load of the run may change its columns before the extract reads it.
  if (loadedDatasets(dag).some(isIt)) return undefined;
  const dataset = (await readers.datasets()).find((each) => isIt(each.name));
  return dataset && { names: dataset.columns.map((column) => column.name), dialect: 'duckdb' };
}

async function tableColumns(
  { config }: Step,
  sources: Sources,
  readers: SourceColumnReaders,
): Promise<SourceColumns | undefined> {
  const source = sources.get(config.sourceId as string);
  const { schema, table, stream } = (config.object ?? {}) as Record<string, unknown>;
  if (source?.type !== 'postgres' && source?.type !== 'mysql') return undefined;
  // A stream adds columns of its own, and only a run knows the values of references.
  const isPlain = (name: unknown) => typeof name === 'string' && referencesIn(name).length === 0;
  if (stream !== undefined || !isPlain(table) || !(schema === undefined || isPlain(schema))) return undefined;
  const catalogue = await readers.catalogue(source);
  if (!catalogue) return undefined;
  const { syncedAt, content } = catalogue;
  const columns = content.tables.find(
    (each) => each.schema === (schema ?? content.defaultSchema) && each.name === table,
  )?.columns;
  return columns ? { names: columns.map(({ name }) => name), dialect: source.type, syncedAt } : undefined;
}

/** The settings of an extract that name columns of its source, with their places. */
export function namedColumns({ config }: Step, at: string): { name: string; pointer: string }[] {
  const { columns, incremental } = config as { columns?: unknown; incremental?: unknown };
  const { cursorColumn, primaryKey } = (incremental ?? {}) as { cursorColumn?: unknown; primaryKey?: unknown };
  const list = (names: unknown, pointer: string) =>
    Array.isArray(names) ? names.map((name: unknown, index) => ({ name, pointer: `${pointer}/${index}` })) : [];
  return [
    ...list(columns, `${at}/columns`),
    { name: cursorColumn, pointer: `${at}/incremental/cursorColumn` },
    ...list(primaryKey, `${at}/incremental/primaryKey`),
  ].filter((each): each is { name: string; pointer: string } => typeof each.name === 'string');
}

export function isKnownColumn({ names }: SourceColumns, name: string): boolean {
  return names.some((known) => folded(known) === folded(name));
}
