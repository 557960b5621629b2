import type { DrawOptions } from '../../data/charts/draw.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { Content } from '../../platform/http/content.ts';
import type { CardRecord } from '../dashboards/index.ts';
import { lookOf } from './card-look.ts';
import type { CardRows } from './card-rows.ts';
import type { LookFor } from './drilled-look.ts';
import { withMapWarnings } from './map-warnings.ts';

/** Draws the rows of the card, or the reason why they cannot be read: pages show a picture, but no problem document. */
export async function drawCardRows(
  card: CardRecord,
  read: () => Promise<CardRows>,
  { lookFor, ...options }: Omit<DrawOptions, 'description'> & { lookFor?: (() => Promise<LookFor>) | undefined },
): Promise<Content> {
  const { drawChart, drawMessage } = await import('./drawing.ts');
  try {
    const rows = await read();
    const data = { columns: rows.columns, rows: JSON.parse(rows.rowsJson) as unknown[][] };
    const look = lookOf(lookFor ? (await lookFor())(card, rows) : card, rows);
    return new Content(
      await drawChart(look, data, { ...options, description: descriptionOf(card, withMapWarnings(card, rows)) }),
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CARD_WITHOUT_ROWS') throw error;
    return new Content(drawMessage(error.message, options));
  }
}

const descriptionOf = ({ title, description }: CardRecord, { columns, rowCount, warnings }: CardRows): string =>
  [title, description, `${columns.map(({ name }) => name).join(', ')}: ${rowCount} rows`, ...warnings]
    .filter(Boolean)
    .join('. ');
