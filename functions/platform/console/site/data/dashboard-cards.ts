import { api, type Types } from './client.ts';

/** A chart as a card shows it, apart from its rows. */
export type ShownLook = Pick<Types.SuggestedChart, 'cardType' | 'look'>;

/** What a new card shows. */
export type CardContent = { savedQueryId: string } | { query: Types.ChartQuery };

const CARD = { x: 0, w: 12, h: 8 };

interface NewCard {
  content: CardContent;
  title: string;
  /** Without it, the platform chooses a chart that fits the rows. */
  look: ShownLook | undefined;
}

/**
 * Adds a card below the others of the first page. A repeat finds its place among those `tried`, by dashboards: there it
 * is the same card, even if the first one was added and its reply was lost.
 */
export async function addCard(
  dashboardId: string,
  { content, title, look }: NewCard,
  tried: Map<string, number>,
): Promise<void> {
  if (!look) {
    await api.dashboards.createCardFromQuery(dashboardId, { ...content, title });
    return;
  }
  const y = tried.get(dashboardId) ?? (await firstFreeRow(dashboardId));
  tried.set(dashboardId, y);
  const query: Types.ChartQuery =
    'query' in content ? content.query : { source: { kind: 'savedQuery', id: content.savedQueryId } };
  await api.dashboards.createCard(dashboardId, {
    cardType: look.cardType as Types.CreateDashboardCard['cardType'],
    title,
    position: { ...CARD, y },
    chartSpec: { version: 1, query, ...look.look },
  });
}

async function firstFreeRow(dashboardId: string): Promise<number> {
  const { pages, cards } = await api.dashboards.get(dashboardId);
  const first = pages[0]?.id ?? null;
  const below = cards.filter(({ pageId }) => (pageId ?? first) === first).map(({ position: { y, h } }) => y + h);
  return Math.max(0, ...below);
}
