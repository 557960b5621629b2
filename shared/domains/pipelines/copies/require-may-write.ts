import { isPermitted } from '../../../platform/auth/permissions.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { everyRecord } from '../../../platform/storage/every-record.ts';
import { folded } from '../../semantics/models/index.ts';
import {
  decidingDatasets,
  type Reads,
  type RightsDeps,
  readsOfDatasetSource,
  requireMayDecide,
} from '../../semantics/row-rights/index.ts';
import type { Dataset } from '../../warehouse/datasets/index.ts';
import { type FileRead, filesOfDag, isTemplate, readsOfDag } from '../definition/index.ts';
import type { DagStore, StoredPipeline } from '../store/index.ts';
import { outputsOf } from './candidates.ts';

export interface WriteDeps extends RightsDeps {
  dags: Pick<DagStore, 'getMany'>;
}

/** What a person writes, or has written by what they define: datasets of these names, or a file of a data source. */
export type Written = { datasets: readonly string[] } | { file: FileRead };

/**
 * For whatever decides which rows a dataset holds that policies read, be it directly or through datasets and pipelines
 * that read what is written: who writes it could show themselves rows that the policies hide. Throws `FORBIDDEN` unless
 * the caller may see all of these rows anyway, or manages policies.
 */
export async function requireMayWrite(deps: WriteDeps, principal: Principal, written: Written): Promise<void> {
  if (isPermitted('model-policies:manage', principal)) return;
  const { workspaceId } = principal;
  const deciding = await decidingDatasets(deps, workspaceId);
  if (deciding.size === 0) return;
  const made = await madeFrom(deps, workspaceId, written);
  await requireMayDecide(
    deps,
    principal,
    [...made].filter((name) => deciding.has(name)),
  );
}

/** What makes rows of datasets from others, or from files. */
interface Maker {
  reads: Reads;
  files: readonly FileRead[];
  outputs: readonly string[];
}

/** The names of the datasets that are written, and of those that are made from them, folded as datasets are found. */
async function madeFrom(deps: WriteDeps, workspaceId: string, written: Written): Promise<Set<string>> {
  const makers = new Set(await makersIn(deps, workspaceId));
  const made = new Set('file' in written ? [] : written.datasets.map(folded));
  const isOfFile = ({ files }: Maker) => 'file' in written && files.some((read) => mayBe(read, written.file));
  for (let isMore = true; isMore; ) {
    isMore = false;
    for (const maker of makers) {
      if (!isOfFile(maker) && !readsAny(maker.reads, made)) continue;
      makers.delete(maker);
      for (const name of maker.outputs) made.add(folded(name));
      isMore = true;
    }
  }
  return made;
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
      outputs: [name],
    })),
    // One may have been deleted or changed a moment ago.
    ...pipelines.flatMap(({ dagHash }) => {
      const dag = found.get(dagHash);
      return dag ? [{ reads: readsOfDag(dag), files: filesOfDag(dag), outputs: outputsOf(dag, datasets) }] : [];
    }),
  ];
}

const mayBe = (read: FileRead, file: FileRead): boolean =>
  (['sourceId', 'path'] as const).every((member) => isTemplate(read[member]) || read[member] === file[member]);

function readsAny({ datasets }: Reads, names: ReadonlySet<string>): boolean {
  return datasets === 'all' ? names.size > 0 : datasets.some((name) => names.has(folded(name)));
}
