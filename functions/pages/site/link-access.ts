import type { Access } from './access.ts';
import { ApiError, send } from './api.ts';
import type { Board } from './board.ts';

/** What opens a link. The password stays in memory: it is neither in an address nor stored. */
export interface LinkKey {
  token: string;
  password?: string;
}

/** Reads the cards of a link. `onEnd` is called once the link no longer works; `key` may change in the meantime. */
export function linkAccess(
  { cards }: Pick<Board, 'cards'>,
  key: () => LinkKey,
  onEnd: (error: ApiError) => void,
): Access {
  const post = async (path: string, body: object): Promise<Response> => {
    const { token, ...password } = key();
    try {
      return await send('POST', `/api/shares/${token}/${path}`, { ...body, ...password });
    } catch (error) {
      // The token was replaced in the meantime.
      if (key().token !== token) return post(path, body);
      throw error;
    }
  };
  return {
    readCard: (cardId, reading) => post('card-data', { cardId, ...reading }),
    drawCard: (cardId, drawing) => post('card-image', { cardId, ...drawing }),
    readValues: async ({ fieldId, linkedCardIds }, limit) => {
      const cardIds = linkedCardIds.length > 0 ? linkedCardIds : cards.map(({ id }) => id);
      const reply = await firstOf(cardIds.slice(0, MAX_CARDS_ASKED), (cardId) =>
        post('card-data', { cardId, distinctColumn: fieldId, limit }),
      );
      const { rows, truncated } = (await reply.json()) as { rows: unknown[][]; truncated: boolean };
      return { values: rows.map(([value]) => value), truncated };
    },
    ends: (error) => {
      if (!(error instanceof ApiError) || !ENDS.has(error.code)) return false;
      onEnd(error);
      return true;
    },
  };
}

const ENDS = new Set(['SHARE_NOT_FOUND', 'SHARE_PASSWORD']);

/** A filter without links applies to every card whose source has its field, and the page does not know which ones do. */
const MAX_CARDS_ASKED = 5;

async function firstOf(cardIds: readonly string[], read: (cardId: string) => Promise<Response>): Promise<Response> {
  let issue: unknown = new Error('No card has values for the filter.');
  for (const cardId of cardIds) {
    try {
      return await read(cardId);
    } catch (error) {
      issue = error;
    }
  }
  throw issue;
}
