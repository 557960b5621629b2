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

const MAX_WIDTH = 760;
const MARGIN = 68;

/** What the first charts of a table are; each is drawn by the platform. */
export async function firstCharts(dataset: Types.DatasetView, isDark: boolean): Promise<FirstChart[]> {
  const { id } = dataset;
  const { columns, rowCount } = await api.datasets.getStatistics(id, { timeoutMs: 60_000 });
  // On phones, a picture that is made smaller would have texts that are too small to read.
  const width = Math.max(280, Math.min(MAX_WIDTH, innerWidth - MARGIN));
  const image = { width, height: Math.round(Math.max(240, width * 0.45)), theme: themeOf(isDark) };
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

/** The colors of charts in the console. */
const themeOf = (dark: boolean): Types.ThemeTokens => ({
  palette: ['#4269d0', '#efb118', '#e8604c', '#6cc5b0', '#9c243c', '#3c489c', '#609ca8', '#b478f0'],
  fonts: { body: 'sans', heading: 'sans' },
  radius: 6,
  dark,
});

const CARD_WIDTH = 12;
const CARD_HEIGHT = 8;

/** Keeps charts on a new dashboard, which has the name of the table or the next free one. Returns its id. */
export async function keepCharts(name: string, charts: readonly FirstChart[]): Promise<string> {
  const { id } = await newDashboard(name);
  for (const [index, { title, spec, cardType }] of charts.entries()) {
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
  }
  await api.dashboards.publish(id);
  return id;
}

const MAX_TRIES = 20;

async function newDashboard(base: string): Promise<Types.Dashboard> {
  for (let count = 1; ; count += 1) {
    try {
      return await api.dashboards.create({ name: count === 1 ? base : `${base} ${count}` });
    } catch (error) {
      const isTaken = (error as { code?: string }).code === 'DASHBOARD_NAME_TAKEN';
      if (!isTaken || count === MAX_TRIES) throw error;
    }
  }
}
