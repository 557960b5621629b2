import { chartImage } from './chart-image.ts';
import { api, type Types } from './client.ts';
import { firstQueries } from './first-queries.ts';

/** A chart of a table, drawn, and what it is made of. */
export interface FirstChart {
  title: string;
  spec: Types.ChartSpec;
  cardType: Types.SuggestedChart['cardType'];
  /** As SVG. */
  svg: string;
}

const MARGIN = 68;

/** What the first charts of a table are; each is drawn by the platform. */
export async function firstCharts(dataset: Types.DatasetView, isDark: boolean): Promise<FirstChart[]> {
  const { id } = dataset;
  const { columns, rowCount } = await api.datasets.getStatistics(id, { timeoutMs: 60_000 });
  const image = chartImage(isDark, innerWidth - MARGIN);
  const charts = await Promise.all(
    firstQueries(columns, rowCount).map(async ({ title, query }): Promise<FirstChart | undefined> => {
      const asked: Types.ChartQuery = { source: { kind: 'dataset', id }, ...query };
      const { suggestions } = await api.charts.suggest({ query: asked, image });
      const best = suggestions[0];
      if (best?.image === undefined) return undefined;
      const spec = { version: 1 as const, query: asked, ...best.look };
      return { title, spec, cardType: best.cardType, svg: best.image };
    }),
  );
  return charts.filter((chart) => chart !== undefined);
}

const CARD_WIDTH = 12;
const CARD_HEIGHT = 8;

/** What was kept of charts so far. */
export interface Kept {
  dashboardId?: string;
  cards: number;
}

/**
 * Keeps charts on a new dashboard, which has the name of the table or the next free one. After a failure, continues
 * with what is left. Returns the id of the dashboard.
 */
export async function keepCharts(name: string, charts: readonly FirstChart[], kept: Kept): Promise<string> {
  kept.dashboardId ??= (await newDashboard(name)).id;
  const id = kept.dashboardId;
  for (const [index, { title, spec, cardType }] of charts.entries()) {
    if (index < kept.cards) continue;
    await api.dashboards.createCard(id, {
      cardType: cardType as Types.CreateDashboardCard['cardType'],
      title,
      chartSpec: spec,
      position: {
        x: (index % 2) * CARD_WIDTH,
        y: Math.floor(index / 2) * CARD_HEIGHT,
        w: CARD_WIDTH,
        h: CARD_HEIGHT,
      },
    });
    kept.cards += 1;
  }
  await api.dashboards.publish(id);
  return id;
}

const MAX_TRIES = 20;

/** An empty dashboard under a name, or the next free one. */
export async function newDashboard(base: string): Promise<Types.Dashboard> {
  for (let count = 1; ; count += 1) {
    try {
      return await api.dashboards.create({ name: count === 1 ? base : `${base} ${count}` });
    } catch (error) {
      const isTaken = (error as { code?: string }).code === 'DASHBOARD_NAME_TAKEN';
      if (!isTaken || count === MAX_TRIES) throw error;
    }
  }
}
