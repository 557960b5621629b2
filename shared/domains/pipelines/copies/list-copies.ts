import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import { DATASETS, isSamePlace, type ModelDefinition, type SourcePlace } from '../../semantics/models/index.ts';
import {
  type CopyDeps,
  type CopyKind,
  type CopyReason,
  checkCopy,
  originsOf,
  type Reads,
  tablesRead,
} from '../../semantics/row-rights/index.ts';
import { type Candidate, candidatesOf } from './candidates.ts';

export interface CopiesDeps extends CopyDeps {
  objects: ObjectStore;
}

/** What stores or sends rows of a protected table. */
export interface ListedCopy {
  kind: CopyKind;
  id: string;
  name: string;
  /** The protected tables that it reads; none for a copy of a copy. */
  tables: string[];
  /** The name of the copy that it reads instead. */
  via: string | null;
  /** Whether it is refreshed, run or captured. */
  allowed: boolean;
  reason: CopyReason | 'copy_of_copy';
}

export interface FoundCopy {
  candidate: Candidate;
  tables: string[];
}

const AT_ONCE = 8;

/**
 * What stores or sends rows of these tables of the model, first what reads them and then what reads their copies.
 * Copies of copies are not stopped: their tables have no policies, and what they read is stopped.
 */
export async function listCopies(
  deps: CopiesDeps,
  definition: ModelDefinition,
  places: readonly SourcePlace[],
): Promise<ListedCopy[]> {
  const candidates = await candidatesOf(deps.table, deps.objects, definition.model.workspaceId);
  const found = await copiesAmong(deps, definition, places, candidates);
  const listed = new Map<Candidate, ListedCopy>();
  await inParallel(AT_ONCE, found, async (copy) => void listed.set(copy.candidate, await listedCopy(deps, copy)));
  const direct = found.map(({ candidate }) => listed.get(candidate)!);
  return [...direct, ...copiesOfCopies(found, candidates)];
}

/** Those of the candidates that read one of the tables. */
export async function copiesAmong(
  deps: CopiesDeps,
  { model: { workspaceId, sourceId } }: Pick<ModelDefinition, 'model'>,
  places: readonly SourcePlace[],
  candidates: readonly Candidate[],
): Promise<FoundCopy[]> {
  const isWanted = (place: SourcePlace) =>
    originsOf(sourceId, place).some((one) => places.some((other) => isSamePlace(one, other)));
  const read = new Map<Candidate, string[]>();
  await inParallel(AT_ONCE, candidates, async (candidate) => {
    const reads = within(candidate.copy.reads, sourceId);
    read.set(candidate, await tablesRead(deps, workspaceId, reads, isWanted));
  });
  return candidates
    .map((candidate) => ({ candidate, tables: read.get(candidate)! }))
    .filter(({ tables }) => tables.length > 0);
}

export async function listedCopy(deps: CopiesDeps, { candidate, tables }: FoundCopy): Promise<ListedCopy> {
  const { refused, reason } = await checkCopy(deps, candidate.copy);
  return { ...showCandidate(candidate), tables, via: null, allowed: refused.length === 0, reason };
}

const showCandidate = ({ copy: { place }, name }: Candidate) => ({ kind: place.kind, id: place.id, name });

function copiesOfCopies(found: readonly FoundCopy[], candidates: readonly Candidate[]): ListedCopy[] {
  const seen = new Set(found.map(({ candidate }) => candidate));
  const more: ListedCopy[] = [];
  // Copies that are added while the set is read are read too.
  for (const origin of seen) {
    for (const candidate of candidates) {
      if (seen.has(candidate) || !readsOneOf(candidate.copy.reads, origin.outputs)) continue;
      seen.add(candidate);
      more.push({ ...showCandidate(candidate), tables: [], via: origin.name, allowed: true, reason: 'copy_of_copy' });
    }
  }
  return more;
}

const readsOneOf = ({ datasets }: Reads, names: readonly string[]): boolean =>
  datasets !== 'all' && datasets.some((one) => names.some((other) => one.toLowerCase() === other.toLowerCase()));

/** What is read of one source. */
function within({ sources, datasets }: Reads, sourceId: string): Reads {
  if (sourceId === DATASETS) return { sources: [], datasets };
  return { sources: sources.filter((read) => read.sourceId === sourceId), datasets: [] };
}
