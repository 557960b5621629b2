import type { Access, CardReading, Drawing, ReadCard } from '../../browser/access.ts';
import type { Board } from '../../browser/board.ts';
import type { Chosen } from '../../browser/parameters.ts';
import { ApiError, send } from './api.ts';
import { BLOCKS_AT_ONCE, type CardResult, readTogether } from './block-batches.ts';

/**
 * What opens a link. The password, or the pass in its place, stays in memory: it is neither in an address nor stored.
 */
export interface LinkKey {
  token: string;
  password?: string | undefined;
}

/** Calls an operation for the readers of links. */
export type LinkPost = (path: string, body: object, options?: { keepalive?: boolean }) => Promise<Response>;

interface Reading {
  key: () => LinkKey;
  /** Called once the link no longer works. */
  onEnd: (error: ApiError) => void;
  /** The values of parameters that the reader has chosen. */
  chosen: Chosen;
  /** Called for a card that cannot be read. */
  onError: (cardId: string) => void;
}

/** Reads the cards of a link. */
export function linkAccess(
  { cards, bound, isStory }: Pick<Board, 'cards'> & { bound: Record<string, string[]>; isStory: boolean },
  { key, onEnd, chosen, onError }: Reading,
): Access & { post: LinkPost; download(cardId: string): Promise<Response> } {
  const post: LinkPost = async (path, body, options) => {
    const { token, ...password } = key();
    try {
      return await send('POST', `/api/shares/${token}/${path}`, { ...body, ...password }, undefined, options);
    } catch (error) {
      // The token was replaced in the meantime.
      if (key().token !== token) return post(path, body, options);
      throw error;
    }
  };
  const withParameters = (cardId: string, body: object) => {
    const names = bound[cardId] ?? [];
    const missing = chosen.missing(names);
    if (missing.length > 0) throw new ApiError(400, 'PARAMETER_REQUIRED', `Choose a value for ${missing.join(', ')}.`);
    const parameters = chosen.given().filter(({ name }) => names.includes(name));
    return { cardId, ...body, ...(parameters.length > 0 && { parameters }) };
  };
  const readAlone = async (cardId: string, reading: CardReading): Promise<ReadCard> =>
    (await post('card-data', withParameters(cardId, reading))).json();
  const readBlock = readTogether({
    async all(asked) {
      const wanted = asked.map(({ cardId, reading }) => withParameters(cardId, reading));
      return ((await (await post('cards-data', { cards: wanted })).json()) as { cards: CardResult[] }).cards;
    },
    alone: ({ cardId, reading }) => readAlone(cardId, reading),
  });
  const latest = new Map<string, Pick<Drawing, 'filters' | 'timezone'>>();
  return {
    post,
    ...(isStory && { atOnce: BLOCKS_AT_ONCE }),
    readCard: async (cardId, reading) => {
      latest.set(cardId, reading);
      const read = isStory ? readBlock({ cardId, reading }) : readAlone(cardId, reading);
      return read.catch((error: unknown) => {
        if (!(error instanceof ApiError && NO_FAILURES.has(error.code))) onError(cardId);
        throw error;
      });
    },
    drawCard: async (cardId, drawing) => (await post('card-image', withParameters(cardId, drawing))).text(),
    download: async (cardId) => {
      const { filters = [], timezone } = latest.get(cardId) ?? {};
      return post('card-file', withParameters(cardId, { filters, ...(timezone && { timezone }) }));
    },
    readValues: async ({ fieldId, linkedCardIds }, page) => {
      const cardIds = linkedCardIds.length > 0 ? linkedCardIds : cards.map(({ id }) => id);
      const reply = await firstOf(cardIds.slice(0, MAX_CARDS_ASKED), (cardId) =>
        post('card-data', { cardId, distinctColumn: fieldId, ...page }),
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
/** A reader who has not yet chosen a value sees no failure of the card. */
const NO_FAILURES = new Set([...ENDS, 'PARAMETER_REQUIRED']);

/**
 * A filter without links applies to every card whose source has its field, and the page does not know which ones do.
 */
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
