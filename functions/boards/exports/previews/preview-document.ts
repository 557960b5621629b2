import type { CardContent } from '../../../../shared/data/documents/documents.ts';
import type { PreviewDocument } from '../../../../shared/data/documents/preview.ts';
import { previewCards } from '../../../../shared/data/documents/preview-layout.ts';
import {
  type CardRows,
  hasRows,
  isLinked,
  lookOf,
  queryOf,
  withDefaults,
} from '../../../../shared/domains/boards/cards/index.ts';
import type { CardRecord } from '../../../../shared/domains/boards/dashboards/index.ts';
import { exportedPages, fixedContent } from '../../../../shared/domains/boards/exports/index.ts';
import { type Themes, tokensOf } from '../../../../shared/domains/boards/themes/index.ts';
import {
  type LinkParts,
  type LinkReader,
  type LinkRowsDeps,
  linkRows,
} from '../../../../shared/domains/sharing/shares/index.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';

export interface DocumentDeps extends LinkRowsDeps {
  themes: Themes;
}

const CARDS_AT_ONCE = 8;

/**
 * What a preview shows: the cards at the beginning of the first page, with the rows that readers see when they open the
 * link. Cards with the same query are read once. Throws `RLS_SHARE_REQUIRED`, `SHARE_QUERIES_SPENT`, and what makes the
 * platform unavailable.
 */
export async function previewDocument(
  deps: DocumentDeps,
  reader: LinkReader,
  parts: LinkParts,
): Promise<PreviewDocument> {
  const [page = { cards: [] }] = exportedPages(parts, {});
  const shown = previewCards(page.cards).map(({ card }) => card);
  // As the page of the link begins.
  const filters = withDefaults(parts, []);
  const known = new Map<string, Promise<CardRows>>();
  const rowsOf = (card: CardRecord) => {
    const linked = parts.filters.filter((filter) => isLinked(filter, card));
    const key = JSON.stringify([queryOf(card), linked.map(({ id }) => id)]);
    const rows = known.get(key) ?? linkRows(deps, parts, reader, { cardId: card.id, filters });
    known.set(key, rows);
    return rows;
  };
  const contents = new Map<string, CardContent>();
  const reading = inParallel(CARDS_AT_ONCE, shown, async (card) => {
    contents.set(card.id, await contentOf(card, parts, () => rowsOf(card)));
  });
  const [theme] = await Promise.all([tokensOf(deps.themes, reader.workspaceId, parts.theme), reading]);
  return {
    title: parts.name,
    description: parts.description,
    theme,
    cards: shown.map(({ id, title, description, position }) => ({
      title,
      description,
      position,
      content: contents.get(id)!,
    })),
  };
}

async function contentOf(
  card: CardRecord,
  { withheld }: LinkParts,
  read: () => Promise<CardRows>,
): Promise<CardContent> {
  if (withheld.has(card.id)) return { kind: 'text', text: 'Readers choose the values of its parameters.' };
  // The address of an image says nothing, and previews load nothing from other hosts.
  if (card.cardType === 'image') return { kind: 'text', text: '' };
  if (!hasRows(card)) return fixedContent(card);
  try {
    const rows = await read();
    const data = { columns: rows.columns, rows: JSON.parse(rows.rowsJson) as unknown[][], totals: rows.totals };
    // Times would make each picture another one.
    return { kind: 'chart', look: lookOf(card, rows), data, truncated: false, asOf: '', timezone: rows.timezone };
  } catch (error) {
    if (!(error instanceof AppError) || !PICTURED.has(error.code)) throw error;
    return { kind: 'problem', problem: error.message };
  }
}

/** Everything else passes, or concerns the link as a whole: a picture that shows it would be stored by others. */
const PICTURED: ReadonlySet<string> = new Set(['CARD_UNREADABLE', 'VALIDATION_FAILED']);
