import type { Principal } from '../../../../platform/auth/principal.ts';
import { AppError } from '../../../../platform/errors/app-error.ts';
import { Explorer } from '../explorer.ts';
import type { Sight } from '../kinds.ts';
import { refKey } from '../types.ts';
import { sightOf } from '../walk.ts';
import { findImpactOfRemoval, type ImpactDeps, type Removal } from './find-impact.ts';
import type { Affected } from './types.ts';

const MAX_LISTED = 100;

/** What a removal would break, as far as the reader may know of it. */
export interface Broken {
  /** Those that the reader may know of; at most 100. */
  affected: Affected[];
  total: number;
  /** The path of all effects in the API; undefined for removals that it does not describe. */
  impact?: string;
}

/** A removal as an operation makes it, which reads more of the workspace on the way. */
export type DescribeRemoval = (sight: Sight) => Promise<Removal | undefined>;

/** Finds what a removal would break or leave without new rows; undefined if that is nothing. */
export type FindBroken = (reader: Principal, describe: DescribeRemoval) => Promise<Broken | undefined>;

/** The answer names what its reader sees. What is hidden from the reader is not broken silently either. */
export function findBroken(deps: ImpactDeps): FindBroken {
  return async (reader, describe) => {
    const seen = await brokenBy(deps, sightOf(deps, reader), describe);
    if (seen) return seen;
    if (reader.role === 'admin' && reader.scope === null) return undefined;
    const all = sightOf({ ...deps, checkProduct: async () => {} }, { ...reader, role: 'admin', scope: null });
    const hidden = await brokenBy(deps, all, describe);
    return hidden && { ...hidden, affected: [], total: 0 };
  };
}

async function brokenBy(deps: ImpactDeps, sight: Sight, describe: DescribeRemoval): Promise<Broken | undefined> {
  const removal = await describe(sight);
  const dependents = removal ? await new Explorer(sight).dependentsOf(removal.start) : [];
  const impact = removal && dependents.length > 0 && (await findImpactOfRemoval(deps, sight, removal));
  if (!impact) return undefined;
  // A dataset outlives the pipeline that loads it; what matters is whether anything is made of it.
  const own = removal.start.type === 'pipeline' ? dependents : [];
  const ignored = new Set([refKey(removal.start), ...own.map(refKey)]);
  const broken = impact.affected.filter(
    (each) => (each.effect === 'breaks' || each.effect === 'outdated') && !ignored.has(refKey(each)),
  );
  if (broken.length === 0) return undefined;
  const path = impactPath(removal);
  return { affected: broken.slice(0, MAX_LISTED), total: broken.length, ...(path && { impact: path }) };
}

function impactPath({ start: { type, id }, parts, stopped }: Removal): string | undefined {
  const path = `/api/catalog/impact/${type}/${id}`;
  if (parts === 'all') return path;
  if (stopped) return undefined;
  return parts.length === 1 ? `${path}?column=${encodeURIComponent(parts[0]!)}` : undefined;
}

/** For operations with the parameter `force`. Throws `REFERENCED` if the removal would break anything. */
export async function refuseBreaking(find: FindBroken, reader: Principal, describe: DescribeRemoval): Promise<void> {
  const broken = await find(reader, describe);
  if (!broken) return;
  const referencedBy = broken.affected.map(({ type, id, name }) => ({ type, id, name }));
  const detail = 'The removal would break what `referencedBy` lists. Set `force` to remove it nevertheless.';
  throw new AppError('REFERENCED', { detail, members: { referencedBy, ...broken } });
}
