import type { CardContent, DashboardDocument, DocumentCard } from '../../../data/documents/documents.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { canonicalTimezone } from '../../semantics/queries/index.ts';
import { type CardRows, filtersFor, hasRows, lookOf, queryOf, rowsOf } from '../cards/index.ts';
import type { CardRecord } from '../dashboards/index.ts';
import { tokensOf } from '../themes/index.ts';
import { problemOf } from './card-files.ts';
import type { ExportContext } from './export-command.ts';
import { exportedPages } from './exported-cards.ts';

const CARDS_AT_ONCE = 8;
/** What is left for drawing. */
const DRAWING_MS = 6_000;

/** How long the rows of a card may take in a request. */
const MAX_READING_MS = 20_000;

/** How long the rows of a card may take. */
export const readingMs = (leftMs: number, maxMs = MAX_READING_MS): number =>
  Math.max(100, Math.min(maxMs, leftMs - DRAWING_MS));

/** The dashboard with the rows that its charts show. Cards with the same query are read once. */
export async function dashboardDocument(context: ExportContext): Promise<DashboardDocument> {
  const { deps, command, dashboard, generatedAt } = context;
  const timezone = canonicalTimezone(command.timezone ?? dashboard.timezone ?? command.principal.timezone ?? 'UTC');
  const pages = exportedPages(dashboard, command);
  const [contents, theme, filters] = await Promise.all([
    contentsOf(
      context,
      pages.flatMap(({ cards }) => cards),
    ),
    tokensOf(deps.themes, command.principal.workspaceId, dashboard.theme ?? null),
    context.inForce(),
  ]);
  return {
    title: dashboard.name,
    description: dashboard.description,
    timezone,
    generatedAt: generatedAt.toISOString(),
    asOf: oldestOf([...contents.values()]),
    filters,
    theme: { ...theme, dark: command.theme === undefined ? theme.dark : command.theme === 'dark' },
    pages: pages.map(({ name, cards }) => ({
      name,
      cards: cards.map(
        ({ id, title, description, position }): DocumentCard => ({
          title,
          description,
          position,
          content: contents.get(id)!,
        }),
      ),
    })),
  };
}

/** When the oldest rows were computed; null without rows. */
export function oldestOf(contents: readonly CardContent[]): string | null {
  const times = contents.flatMap((content) => (content.kind === 'chart' ? [content.asOf] : []));
  return times.sort()[0] ?? null;
}

async function contentsOf(context: ExportContext, cards: readonly CardRecord[]): Promise<Map<string, CardContent>> {
  const { deps, command, dashboard, leftMs } = context;
  const known = new Map<string, Promise<CardRows>>();
  const contents = new Map<string, CardContent>();
  await inParallel(CARDS_AT_ONCE, cards, async (card) => {
    if (!hasRows(card)) {
      contents.set(card.id, fixedContent(card));
      return;
    }
    const key = JSON.stringify([queryOf(card), filtersFor(dashboard, card, { filters: [...command.filters] })]);
    const { filters, principal, timezone } = command;
    const timeoutMs = readingMs(leftMs(), command.queryMs);
    const rows =
      known.get(key) ?? rowsOf(deps, dashboard, card, { filters: [...filters], principal, timezone, timeoutMs });
    known.set(key, rows);
    try {
      contents.set(card.id, chartContent(card, await rows));
    } catch (error) {
      contents.set(card.id, { kind: 'problem', problem: problemOf(error, command) });
    }
  });
  return contents;
}

/** A card with the rows that its chart shows. */
export function chartContent(card: CardRecord, read: CardRows): CardContent {
  const { columns, rowsJson, totals, truncated, asOf, timezone } = read;
  const data = { columns, rows: JSON.parse(rowsJson) as unknown[][], totals };
  return { kind: 'chart', look: lookOf(card, read), data, truncated, asOf, timezone };
}

/** Images are on other hosts, which documents do not reach: their address is shown. */
export function fixedContent({ cardType, textContent, value, imageUrl }: CardRecord): CardContent {
  if (cardType === 'divider') return { kind: 'divider' };
  return { kind: 'text', text: textContent ?? value ?? imageUrl ?? '' };
}
