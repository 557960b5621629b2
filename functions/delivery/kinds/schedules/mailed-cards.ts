import {
  type CardRows,
  hasRows,
  queryOf,
  type Reading,
  rowsOf,
  wantedCards,
  withDefaults,
} from '../../../../shared/domains/boards/cards/index.ts';
import type { ChartDeps, ChartSpec } from '../../../../shared/domains/boards/charts/index.ts';
import type { CardRecord } from '../../../../shared/domains/boards/dashboards/index.ts';
import type { ScheduleRecord } from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { SeenContent } from './seen-content.ts';

/** The number of cards that a run reads for each recipient; the dashboard has the rest. */
const MAX_CARDS = 20;
const CARDS_AT_ONCE = 4;
const TIMEOUT_MS = 25_000;

export type CardResult = { card: CardRecord } & ({ rows: CardRows } | { error: AppError });

/**
 * The cards of the page, or of all pages that are not hidden, in reading order: from the top, and from the left within
 * a row.
 */
function cardsOf(parts: SeenContent): CardRecord[] {
  const { pageId } = parts;
  const first = parts.pages[0]?.id ?? null;
  const shown = parts.pages.filter(({ id, isHidden }) => (pageId === null ? !isHidden : id === pageId));
  const order = new Map(shown.map(({ id }, index) => [id, index]));
  const pageOf = (card: CardRecord) => (first === null ? 0 : order.get(card.pageId ?? first));
  return wantedCards(parts, {})
    .filter((card) => pageOf(card) !== undefined)
    .sort((a, b) => pageOf(a)! - pageOf(b)! || a.position.y - b.position.y || a.position.x - b.position.x);
}

export const dataCards = (parts: SeenContent): CardRecord[] => cardsOf(parts).filter(hasRows);

/** The cards that an email can show: all of them, except lines between cards. */
export const showCards = (parts: SeenContent): CardRecord[] =>
  cardsOf(parts).filter((card) => hasRows(card) || textOfCard(card) !== '' || (isText(card) && card.title !== ''));

/** The text of a card that has no rows, as Markdown. Emails load no images, and lead to them instead. */
export function textOfCard({ cardType, textContent, value, imageUrl }: CardRecord): string {
  if (cardType === 'divider') return '';
  if (cardType === 'image' && imageUrl && !/[<>\s]/.test(imageUrl)) return `[Open the image](<${imageUrl}>)`;
  return textContent ?? value ?? '';
}

const isText = ({ cardType }: CardRecord): boolean => cardType === 'text';

export const sourcesOf = (parts: SeenContent): ChartSpec['query']['source'][] => [
  ...new Map(
    [...dataCards(parts).map((card) => queryOf(card).source), ...(parts.sources ?? [])].map((source) => [
      `${source.kind} ${source.id}`,
      source,
    ]),
  ).values(),
];

/**
 * The rows of the first cards, as the reader may see them and as the page of the dashboard begins. A card that fails
 * has its error instead.
 */
export async function readCards(
  deps: ChartDeps,
  { filters = [], timezone }: ScheduleRecord,
  { principal, seen }: { principal: Principal; seen: SeenContent },
): Promise<CardResult[]> {
  const cards = dataCards(seen).slice(0, MAX_CARDS);
  const read = seen.rowsOf ?? ((card: CardRecord, asked: Reading) => rowsOf(deps, { ...seen, timezone }, card, asked));
  const results = new Map<string, CardResult>();
  const reading = { principal, filters: withDefaults(seen, filters), timeoutMs: TIMEOUT_MS, ...zoneOf(timezone) };
  await inParallel(CARDS_AT_ONCE, cards, async (card) => {
    try {
      results.set(card.id, { card, rows: await read(card, reading) });
    } catch (error) {
      if (!(error instanceof AppError) || isPassing(error)) throw error;
      results.set(card.id, { card, error });
    }
  });
  return cards.map(({ id }) => results.get(id)!);
}

/** UTC is what cards have without a zone; metrics then keep their own. */
const zoneOf = (timezone: string) => (timezone === 'UTC' ? {} : { timezone });

/** Stops the run; the next message reads the card. */
const isPassing = ({ code }: AppError): boolean => code === 'SERVICE_BUSY';
