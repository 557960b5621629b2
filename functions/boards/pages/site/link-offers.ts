import { type Board, showBoard } from '../../browser/board.ts';
import { type Parameter, showParameters } from '../../browser/parameters.ts';
import type { ApiError } from './api.ts';
import { showAsk } from './ask.ts';
import { showDownloads } from './downloads.ts';
import { type LinkKey, linkAccess } from './link-access.ts';
import { countEvents } from './link-events.ts';
import { showContents } from './reading/contents.ts';

/** What the page of a link offers beside its cards. */
export interface LinkBoard extends Board {
  parameters: Parameter[];
  /** The names of the parameters that change the rows of a card, by its id. */
  bound: Record<string, string[]>;
  allowExport: boolean;
  /** Whether the cards are the live blocks of a story, which are read together. */
  isStory: boolean;
  ask: { perHour: number } | null;
}

/**
 * Fills the page of a link, until `left` aborts. `key` may change in the meantime; `onEnd` is called once the link has
 * ended.
 */
export function showLink(
  board: LinkBoard,
  { key, onEnd, left }: { key: () => LinkKey; onEnd: (error: ApiError) => void; left?: AbortSignal },
): { read(): Promise<void> } {
  const events = countEvents((list) => access.post('events', { events: list }, { keepalive: true }), left);
  const chosen = showParameters(board.parameters, () => {
    events.add('filter');
    void shown.read();
  });
  const access = linkAccess(board, { key, onEnd, chosen, onError: (cardId) => events.add('error', cardId) });
  const shown = showBoard(board, access, { left });
  if (board.isStory) showContents();
  document.querySelector('form.filters')?.addEventListener('change', () => events.add('filter'));
  if (board.allowExport) showDownloads(board, access.download);
  if (board.ask) showAsk(board.ask, access.post);
  return shown;
}
