import type { Board } from '../../browser/board.ts';
import { byId, el } from '../../browser/dom.ts';
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

/** Saves a reply that is the file, or a link to it. */
export async function saveFile(reply: Response): Promise<void> {
  if (reply.headers.get('content-type')?.startsWith('application/json')) {
    const { downloadUrl } = (await reply.json()) as { downloadUrl: string };
    return el('a', { href: downloadUrl, download: true, rel: 'noopener' }).click();
  }
  const address = URL.createObjectURL(await reply.blob());
  el('a', { href: address, download: nameOf(reply) }).click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function nameOf({ headers }: Response): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(headers.get('content-disposition') ?? '')?.[1];
  return encoded === undefined ? 'rows.csv' : decodeURIComponent(encoded);
}
