import {
  type CardDeps,
  hasRows,
  type Reading,
  seenParts,
  wantedCards,
} from '../../../shared/domains/boards/cards/index.ts';
import type { Lines } from '../../../shared/platform/http/lines.ts';
import { type NoticeDeps, readResults } from '../common/card-results.ts';
import type { StreamCards } from './schemas.ts';

/** Lambda streams up to 200 MB; beyond the first 10 MB it is slow. */
const MAX_BYTES = 64 * 1024 * 1024;

interface Command extends Reading, Pick<StreamCards, 'pageId' | 'cardIds'> {
  id: string;
  requestId: string;
  onError(error: unknown): void;
}

/**
 * Finds the cards; they are read while the lines are sent. Throws for a dashboard, page or card that the caller does
 * not see.
 */
export async function streamCards(
  deps: CardDeps & NoticeDeps,
  { id, pageId, cardIds, requestId, onError, ...reading }: Command,
): Promise<Lines> {
  const parts = await seenParts(deps, { principal: reading.principal, id });
  const cards = wantedCards(parts, { pageId, cardIds }).filter(hasRows);
  return async (send) => {
    let failed = 0;
    const command = { id, parts, cards, reading, maxBytes: MAX_BYTES, requestId, onError };
    await readResults(deps, command, ({ text, isFailed }) => {
      if (isFailed) failed += 1;
      return send(text);
    });
    await send(JSON.stringify({ complete: true, cards: cards.length, failed }));
  };
}
