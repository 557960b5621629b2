import {
  type CardDeps,
  type CardRows,
  cardOf,
  lookOf,
  type Reading,
  rowsOf,
  seenParts,
} from '../../../shared/domains/cards/index.ts';
import type { CardRecord } from '../../../shared/domains/dashboards/index.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { Content } from '../../../shared/platform/http/content.ts';
import type { DrawCard } from '../schemas.ts';

/** Draws the card, or why it cannot be read: a picture is looked at where a problem document is not. */
export async function drawCard(
  deps: CardDeps,
  { id, cardId, width, height, theme, ...reading }: Reading & DrawCard & { id: string; cardId: string },
): Promise<Content> {
  const parts = await seenParts(deps, { principal: reading.principal, id });
  const card = cardOf(parts, cardId);
  const { drawChart, drawMessage } = await import('./drawing.ts');
  const options = { width, height, ...(theme && { theme }) };
  try {
    const rows = await rowsOf(deps, parts, card, reading);
    const data = { columns: rows.columns, rows: JSON.parse(rows.rowsJson) as unknown[][] };
    const look = lookOf(card, rows);
    return new Content(await drawChart(look, data, { ...options, description: descriptionOf(card, rows) }));
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CARD_WITHOUT_ROWS') throw error;
    return new Content(drawMessage(error.message, options));
  }
}

const descriptionOf = ({ title, description }: CardRecord, { columns, rowCount }: CardRows): string =>
  [title, description, `${columns.map(({ name }) => name).join(', ')}: ${rowCount} rows`].filter(Boolean).join('. ');
