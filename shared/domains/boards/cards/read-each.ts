import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import type { ChartDeps } from '../charts/index.ts';
import type { CardRecord, DashboardParts } from '../dashboards/index.ts';
import { filtersFor } from './card-filters.ts';
import { queryOf } from './card-query.ts';
import { type CardRows, type Reading, rowsOf } from './card-rows.ts';

const READ_AT_ONCE = 8;

/**
 * Reads several cards and passes each on as soon as it is ready; `rows` rejects if the card cannot be read. Cards with
 * the same query and filters are read once, and their rows are released after the last of them. Rejects with the first
 * error of `take`; then no further cards are read.
 */
export async function readEach(
  deps: ChartDeps,
  { parts, cards, reading }: { parts: DashboardParts; cards: readonly CardRecord[]; reading: Reading },
  take: (card: CardRecord, rows: Promise<CardRows>) => Promise<void>,
): Promise<void> {
  const alike = new Map<string, CardRecord[]>();
  for (const card of cards) {
    const key = keyOf(parts, card, reading);
    alike.set(key, [...(alike.get(key) ?? []), card]);
  }
  let hasEnded = false;
  await inParallel(READ_AT_ONCE, [...alike.values()], async (group) => {
    if (hasEnded) return;
    const rows = rowsOf(deps, parts, group[0]!, reading);
    try {
      for (const card of group) await take(card, rows);
    } catch (error) {
      hasEnded = true;
      throw error;
    }
  });
}

/** The same for cards with the same rows. A card whose filters are wrong is read alone, to fail alone. */
function keyOf(parts: DashboardParts, card: CardRecord, reading: Reading): string {
  try {
    return JSON.stringify([queryOf(card), filtersFor(parts, card, reading)]);
  } catch {
    return card.id;
  }
}
