import { type LiveSource, liveBlocksOf, type RichText } from '../../../data/rich-text/index.ts';
import { hasRows, queryOf } from '../../boards/cards/index.ts';
import type { ChartSpec } from '../../boards/charts/index.ts';
import type { CardRecord, DashboardStore, DashboardVersions } from '../../boards/dashboards/index.ts';

export type BlockSource = ChartSpec['query']['source'];

export interface BlockSourceDeps {
  dashboards: Pick<DashboardStore, 'read'>;
  dashboardVersions: Pick<DashboardVersions, 'read'>;
}

/**
 * The sources of the live blocks of a text; `unknown` if one of them cannot be resolved. A card counts as it is in the
 * draft of its dashboard and as its readers see it.
 */
export async function blockSources(
  deps: BlockSourceDeps,
  workspaceId: string,
  content: RichText,
): Promise<BlockSource[] | 'unknown'> {
  const found = await Promise.all(liveBlocksOf(content).map(({ part }) => sourcesOf(deps, workspaceId, part.source)));
  if (found.some((sources) => sources === 'unknown')) return 'unknown';
  return found.flat() as BlockSource[];
}

async function sourcesOf(
  deps: BlockSourceDeps,
  workspaceId: string,
  source: LiveSource,
): Promise<BlockSource[] | 'unknown'> {
  if (source.kind === 'slot') return [];
  if (source.kind === 'chart') return [(source.chartSpec as ChartSpec).query.source];
  const place = { workspaceId, dashboardId: source.dashboardId };
  const state = await deps.dashboards.read(place);
  if (!state) return 'unknown';
  const { published } = state.record;
  const seen = published ? await deps.dashboardVersions.read(place, published.version) : undefined;
  const cards = [...state.cards, ...(seen?.cards ?? [])].filter(({ id }) => id === source.cardId);
  return cards.length === 0 ? 'unknown' : cards.filter(hasRows).map((card: CardRecord) => queryOf(card).source);
}
