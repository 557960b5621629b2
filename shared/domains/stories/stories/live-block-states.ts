import { type LiveBlock, liveBlocksOf, type RichText } from '../../../data/rich-text/index.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { classOfSources, SEES_ALL } from '../../boards/charts/index.ts';
import { sightOf } from '../../boards/dashboards/index.ts';
import type { ReceivedGrant } from '../../tenancy/grants/index.ts';
import { blockSources } from './block-sources.ts';
import type { RightsClassDeps } from './rights-class.ts';

export interface LiveBlockState {
  blockId: string;
  state: 'visible' | 'restricted' | 'hidden';
  reason: 'ROW_RIGHTS' | 'NO_DASHBOARD_ACCESS' | 'SOURCE_NOT_FOUND' | null;
}

export type LiveBlockDeps = RightsClassDeps & {
  /** The grant of one dashboard. */
  dashboardGrantOf(principal: Principal, dashboardId: string): Promise<ReceivedGrant | undefined>;
};

/** What the reader would see of the live blocks of a text. */
export function liveBlockStates(deps: LiveBlockDeps, reader: Principal, content: RichText): Promise<LiveBlockState[]> {
  return Promise.all(
    liveBlocksOf(content).map(async ({ part, blockId }) => ({ blockId, ...(await stateFor(deps, reader, part)) })),
  );
}

async function stateFor(
  deps: LiveBlockDeps,
  reader: Principal,
  { id, source }: LiveBlock,
): Promise<Omit<LiveBlockState, 'blockId'>> {
  const { workspaceId } = reader;
  if (source.kind === 'card' && !(await seesDashboard(deps, reader, source.dashboardId))) {
    return { state: 'hidden', reason: 'NO_DASHBOARD_ACCESS' };
  }
  const block = { type: 'liveBlock' as const, attrs: { id, source } };
  const sources = await blockSources(deps.sources, workspaceId, { type: 'doc', content: [block] });
  const own = sources === 'unknown' ? null : await classOfSources(deps.charts, reader, sources);
  if (own === null) return { state: 'hidden', reason: 'SOURCE_NOT_FOUND' };
  return own === SEES_ALL ? { state: 'visible', reason: null } : { state: 'restricted', reason: 'ROW_RIGHTS' };
}

async function seesDashboard({ sources, dashboardGrantOf }: LiveBlockDeps, reader: Principal, dashboardId: string) {
  const state = await sources.dashboards.read({ workspaceId: reader.workspaceId, dashboardId });
  if (!state || state.record.deletedAt !== null) return false;
  return sightOf(reader, state.record, await dashboardGrantOf(reader, dashboardId)) !== undefined;
}
