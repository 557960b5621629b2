import { api, type Types } from './client.ts';

/** A chart as a card shows it, apart from its rows. */
export type ShownLook = Pick<Types.SuggestedChart, 'cardType' | 'look'>;

/** What a new card shows. */
export type CardContent = { savedQueryId: string } | { query: Types.ChartQuery };

const CARD = { x: 0, w: 12, h: 8 };

/** Adds a card below the others of the first page. Without a look, the platform chooses a chart that fits the rows. */
export async function addCard(
  dashboardId: string,
  { content, title, look }: { content: CardContent; title: string; look: ShownLook | undefined },
): Promise<void> {
  if (!look) {
    await api.dashboards.createCardFromQuery(dashboardId, { ...content, title });
    return;
  }
  const { pages, cards } = await api.dashboards.get(dashboardId);
  const first = pages[0]?.id ?? null;
  const below = cards.filter(({ pageId }) => (pageId ?? first) === first).map(({ position: { y, h } }) => y + h);
  const query: Types.ChartQuery =
    'query' in content ? content.query : { source: { kind: 'savedQuery', id: content.savedQueryId } };
  await api.dashboards.createCard(dashboardId, {
    cardType: look.cardType as Types.CreateDashboardCard['cardType'],
    title,
    position: { ...CARD, y: Math.max(0, ...below) },
    chartSpec: { version: 1, query, ...look.look },
  });
}
