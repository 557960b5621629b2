import { createHash } from 'node:crypto';
import type { ChartLook } from '../../../../shared/data/charts/chart-look.ts';
import type { ThemeTokens } from '../../../../shared/data/charts/theme.ts';
import type { CardRecord } from '../../../../shared/domains/boards/dashboards/index.ts';
import type { StoredPicture } from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { cardPng } from '../../../../shared/domains/boards/exports/index.ts';
import type { BlockPicture } from '../../../../shared/platform/mail/compose.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';
import type { CardResult } from './mailed-cards.ts';

/** Keeps an email small, and its drawing short; further charts are tables. */
const MAX_PICTURES = 12;
const MAX_PICTURE_BYTES = 150_000;
/** Small, so that the texts of a chart can still be read on a phone. */
const SIZE = { width: 440, height: 240 };
/** As wide as an email on a screen. */
const SHOWN = { width: 528, height: 288 };

export interface PictureDeps {
  objects: Pick<ObjectStore, 'write'>;
  newId(): string;
  report(error: unknown): void;
}

interface Pictures {
  pictures: StoredPicture[];
  byCard: ReadonlyMap<string, BlockPicture>;
}

export const NO_PICTURES: Pictures = { pictures: [], byCard: new Map() };

/**
 * Draws the first charts of an email in the theme, on white as emails are. A chart that cannot be drawn stays a table.
 */
export async function mailPictures(
  { objects, newId, report }: PictureDeps,
  { cards, results }: { cards: readonly CardRecord[]; results: readonly CardResult[] },
  { workspaceId, theme }: { workspaceId: string; theme: ThemeTokens },
): Promise<Pictures> {
  const byId = new Map(results.map((result) => [result.card.id, result]));
  const pictures: StoredPicture[] = [];
  const byCard = new Map<string, BlockPicture>();
  for (const card of cards) {
    const result = byId.get(card.id);
    if (pictures.length === MAX_PICTURES) break;
    if (!result || 'error' in result || !isChart(card.chartSpec) || result.rows.rowCount === 0) continue;
    const drawn = await drawing(card, result, { ...theme, dark: false }).catch(report);
    if (!drawn || drawn.bytes.length > MAX_PICTURE_BYTES) continue;
    const number = pictures.length + 1;
    const stored = { contentId: `chart-${number}`, fileName: `chart-${number}.png`, contentType: 'image/png' };
    const key = `results/${workspaceId}/deliveries/${newId()}`;
    await objects.write(key, drawn.bytes, stored.contentType);
    pictures.push({ ...stored, key });
    byCard.set(card.id, { contentId: stored.contentId, alternative: drawn.alternative, ...SHOWN });
  }
  return { pictures, byCard };
}

const isChart = (look: ChartLook | null): look is ChartLook =>
  look !== null && (look.layer !== undefined || !['kpi', 'table', 'pivot'].includes(look.mark.type));

type Drawn = Awaited<ReturnType<typeof cardPng>>;

const MAX_KEPT = 40;
/** Recipients who see the same rows get the same picture, which takes a second to draw. */
const kept = new Map<string, Promise<Drawn>>();

function drawing(
  { description, chartSpec }: CardRecord,
  { rows }: Extract<CardResult, { rows: unknown }>,
  theme: ThemeTokens,
): Promise<Drawn> {
  const { columns, rowsJson, totals, truncated, asOf, timezone } = rows;
  const data = { columns, rows: JSON.parse(rowsJson) as unknown[][], totals };
  const content = { kind: 'chart', look: chartSpec!, data, truncated, asOf, timezone } as const;
  const key = createHash('sha256')
    .update(JSON.stringify([description, chartSpec, columns, totals, theme]))
    .update(rowsJson)
    .digest('base64url');
  // The email has the title as text.
  const drawn = kept.get(key) ?? cardPng({ title: '', description, content }, { ...SIZE, theme });
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, drawn);
  drawn.catch(() => kept.delete(key));
  return drawn;
}
