import type { Board } from '../../browser/board.ts';
import { byId, el } from '../../browser/dom.ts';
import { saveFile } from '../../browser/save-file.ts';
import { ApiError } from './api.ts';

/** Adds a button to each card with rows that downloads them as CSV. */
export function showDownloads({ cards }: Pick<Board, 'cards'>, download: (cardId: string) => Promise<Response>): void {
  for (const { id } of cards) {
    const card = byId(`card-${id}`);
    const head = card?.querySelector('.card-head');
    if (!card || !head) continue;
    const name = card.getAttribute('aria-label') ?? 'Card';
    const button = el('button', { type: 'button', class: 'show-data', 'aria-label': `Download ${name} as CSV` }, 'CSV');
    button.addEventListener('click', () => void save(button, () => download(id)));
    head.append(button);
  }
}

async function save(button: HTMLButtonElement, download: () => Promise<Response>): Promise<void> {
  const status = byId('status');
  button.disabled = true;
  try {
    await saveFile(await download());
    if (status) status.textContent = 'The file is downloaded.';
  } catch (error) {
    const text = error instanceof ApiError ? error.message : 'The server cannot be reached.';
    button.title = text;
    if (status) status.textContent = text;
  }
  button.disabled = false;
}
