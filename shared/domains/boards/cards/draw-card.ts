import type { DrawOptions } from '../../../data/charts/draw.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { Content } from '../../../platform/http/content.ts';
import type { CardRecord } from '../dashboards/index.ts';
import { type Themes, tokensOf } from '../themes/index.ts';
import { lookOf } from './card-look.ts';
import type { CardRows } from './card-rows.ts';
import type { Drawings } from './drawings.ts';
import type { LookFor } from './drilled-look.ts';
import { withMapWarnings } from './map-warnings.ts';
import type { CardImage } from './schemas.ts';

export interface DrawDeps {
  drawings: Drawings;
  themes: Themes;
  /**
   * Called before a picture is drawn that is not stored. Throws `SHARE_DRAWINGS_SPENT` for readers who may have no
   * more.
   */
  admit?: (() => Promise<void>) | undefined;
}

/** Where a card is drawn. */
interface Place {
  workspaceId: string;
  /** Of the dashboard, for images without a theme of their own. */
  theme: string | null;
  lookFor?: (() => Promise<LookFor>) | undefined;
}

/** Draws the rows of the card, or the reason why they cannot be read: pages show a picture, but no problem document. */
export async function drawCardRows(
  deps: DrawDeps,
  card: CardRecord,
  read: () => Promise<CardRows>,
  { image, ...place }: Place & { image: CardImage },
): Promise<Content> {
  const options = await optionsOf(deps, place, image);
  return new Content(await orMessage(options, async () => pictureOf(deps, card, await read(), { ...place, options })));
}

/** The reply has at most 6 MB, and the rows come first. */
const MAX_REPLY_CHARACTERS = 4 * 1024 * 1024;

/**
 * The picture for a reply with the rows of the card. Undefined if none is wanted or may be drawn, there are no rows, or
 * it is too large.
 */
export async function imageBeside(
  deps: DrawDeps,
  card: CardRecord,
  rows: CardRows,
  { image, ...place }: Place & { image: CardImage | undefined },
): Promise<string | undefined> {
  if (!image || rows.rowCount === 0) return undefined;
  const options = await optionsOf(deps, place, image);
  try {
    const svg = await orMessage(options, () => pictureOf(deps, card, rows, { ...place, options }));
    return rows.rowsJson.length + svg.length > MAX_REPLY_CHARACTERS ? undefined : svg;
  } catch (error) {
    // The rows can still be read.
    if (isSpent(error)) return undefined;
    throw error;
  }
}

type Options = Omit<DrawOptions, 'description'>;

const optionsOf = async ({ themes }: DrawDeps, { workspaceId, theme: ofDashboard }: Place, image: CardImage) => ({
  width: image.width,
  height: image.height,
  theme: image.theme ?? (await tokensOf(themes, workspaceId, ofDashboard)),
  ...(image.hiddenSeries && { hiddenSeries: image.hiddenSeries }),
});

async function pictureOf(
  { drawings, admit }: DrawDeps,
  card: CardRecord,
  rows: CardRows,
  { workspaceId, lookFor, options }: Pick<Place, 'workspaceId' | 'lookFor'> & { options: Options },
): Promise<string> {
  const look = lookOf(lookFor ? (await lookFor())(card, rows) : card, rows);
  const { columns, rowsJson, totals } = rows;
  const described = { ...options, description: descriptionOf(card, withMapWarnings(card, rows)) };
  return drawings.through(
    workspaceId,
    { look, columns, rowsJson, ...(totals && { totals }), ...described },
    async () => {
      await admit?.();
      const { drawChart } = await import('./drawing.ts');
      return drawChart(look, { columns, rows: JSON.parse(rowsJson) as unknown[][], totals }, described);
    },
  );
}

async function orMessage(options: Options, picture: () => Promise<string>): Promise<string> {
  try {
    return await picture();
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CARD_WITHOUT_ROWS' || isSpent(error)) throw error;
    const { drawMessage } = await import('./drawing.ts');
    return drawMessage(error.message, options);
  }
}

const isSpent = (error: unknown): boolean => error instanceof AppError && error.code === 'SHARE_DRAWINGS_SPENT';

const descriptionOf = ({ title, description }: CardRecord, { columns, rowCount, warnings }: CardRows): string =>
  [title, description, `${columns.map(({ name }) => name).join(', ')}: ${rowCount} rows`, ...new Set(warnings)]
    .filter(Boolean)
    .join('. ');
