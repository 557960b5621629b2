import { isPermitted } from '../../../platform/auth/permissions.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { everyRecord } from '../../../platform/storage/every-record.ts';
import { folded, isSamePlace } from '../../semantics/models/index.ts';
import {
  decidedTables,
  decidingDatasets,
  type Reads,
  type RightsDeps,
  readsOfDatasetSource,
  requireMayDecide,
  type SourceReads,
} from '../../semantics/row-rights/index.ts';
import type { Dataset } from '../../warehouse/datasets/index.ts';
import {
  type FileRead,
  filesOfDag,
  isTemplate,
  readsOfDag,
  type SourceWrites,
  writesOfDag,
} from '../definition/index.ts';
import type { DagStore, StoredPipeline } from '../store/index.ts';
import { outputsOf } from './candidates.ts';

export interface WriteDeps extends RightsDeps {
  dags: Pick<DagStore, 'getMany'>;
}

/**
 * What a person writes, or has written by what they define: datasets of these names, tables of databases, files of
 * sources, or a file of one.
 */
export interface Written extends Partial<SourceWrites> {
  datasets?: readonly string[];
  file?: FileRead;
}

/**
 * For whatever decides which rows a dataset or a table of a database holds that policies read, be it directly or
 * through datasets and pipelines that read what is written: who writes it could show themselves rows that the policies
 * hide. Throws `FORBIDDEN` unless the caller may see all of these rows anyway, or manages policies.
 */
export async function requireMayWrite(deps: WriteDeps, principal: Principal, written: Written): Promise<void> {
  if (isPermitted('model-policies:manage', principal)) return;
  const { workspaceId } = principal;
  const [deciding, decided] = await Promise.all([
    decidingDatasets(deps, workspaceId),
    decidedTables(deps, workspaceId),
  ]);
  if (deciding.size === 0 && decided.length === 0) return;
  const { datasets, tables } = await madeFrom(deps, workspaceId, written);
  await requireMayDecide(deps, principal, {
    datasets: datasets.filter((name) => deciding.has(name)),
    tables: decided.filter(({ sourceId, by }) => tables.some((each) => sharesTables({ sourceId, tables: [by] }, each))),
  });
}

/** What makes rows of datasets from others, from tables of databases, or from files. */
interface Maker {
  reads: Reads;
  files: readonly FileRead[];
  outputs: Written;
}

/** What is written and what is made from it: names of datasets, folded as these are found, and tables of databases. */
async function madeFrom(deps: WriteDeps, workspaceId: string, written: Written) {
  const makers = new Set(await makersIn(deps, workspaceId));
  const all = [written];
  const made = new Set(written.datasets?.map(folded));
  for (let isMore = true; isMore; ) {
    isMore = false;
    for (const maker of makers) {
      if (!readsAny(maker, made) && !all.some((each) => readsSources(maker, each))) continue;
      makers.delete(maker);
      all.push(maker.outputs);
      for (const name of maker.outputs.datasets ?? []) made.add(folded(name));
      isMore = true;
    }
  }
  return { datasets: [...made], tables: all.flatMap(({ tables = [] }) => tables) };
}

async function makersIn({ table, dags }: WriteDeps, workspaceId: string): Promise<Maker[]> {
  const [datasets, pipelines] = await Promise.all([
    Array.fromAsync(everyRecord<Dataset>(table, workspaceId, 'dataset')),
    Array.fromAsync(everyRecord<StoredPipeline>(table, workspaceId, 'pipeline')),
  ]);
  const found = await dags.getMany(
    workspaceId,
    pipelines.map(({ dagHash }) => dagHash),
  );
  return [
    ...datasets.map(({ name, source }) => ({
      reads: readsOfDatasetSource(source),
      files: source?.kind === 'file' ? [source] : [],
      outputs: { datasets: [name] },
    })),
    ...pipelines.flatMap(({ dagHash }) => {
      const dag = found.get(dagHash);
      // One may have been deleted or changed a moment ago.
      if (!dag) return [];
      const outputs = { datasets: outputsOf(dag, datasets), ...writesOfDag(dag) };
      return [{ reads: readsOfDag(dag), files: filesOfDag(dag), outputs }];
    }),
  ];
}

function readsAny({ reads: { datasets } }: Maker, names: ReadonlySet<string>): boolean {
  return datasets === 'all' ? names.size > 0 : datasets.some((name) => names.has(folded(name)));
}

function readsSources({ reads, files }: Maker, { file, files: sourceIds = [], tables = [] }: Written): boolean {
  return (
    files.some((read) => sourceIds.some((id) => isOrMayBe(read.sourceId, id)) || (file && isSameFile(read, file))) ||
    reads.sources.some((read) => tables.some((each) => sharesTables(read, each)))
  );
}

const isSameFile = (read: FileRead, file: FileRead): boolean =>
  isOrMayBe(read.sourceId, file.sourceId) && isOrMayBe(read.path, file.path);

/** Only a run knows the values of templates. */
const isOrMayBe = (read: string, written: string): boolean => isTemplate(read) || read === written;

const sharesTables = (one: SourceReads, other: SourceReads): boolean =>
  (isOrMayBe(one.sourceId, other.sourceId) || isTemplate(other.sourceId)) &&
  (one.tables === 'all' || placesOf(one).some((place) => placesOf(other).some((each) => isSamePlace(place, each))));

const placesOf = ({ tables }: SourceReads) => (tables === 'all' ? [] : tables);
