import type { Board, ShownBoard } from '../../browser/board.ts';
import { byId, el } from '../../browser/dom.ts';
import { type Action, openRowMenu } from '../../browser/row-menu.ts';
import { saveFile } from '../../browser/save-file.ts';
import { ApiError, call, platform } from './api.ts';
import { loadMore } from './load-more.ts';

export interface Actionable extends Board {
  dashboardId: string;
  pageId: string | null;
  /** Whether the person may export dashboards. */
  mayExport: boolean;
  /** Whether the person may change the dashboard, and so send it to others. */
  mayShare: boolean;
  /** Whether the person may create links for readers without an account. */
  mayLink: boolean;
}

const FILES = { pdf: 'PDF', xlsx: 'Excel', pptx: 'PowerPoint', docx: 'Word' } as const;
const CARD_FILES = { csv: 'CSV', xlsx: 'Excel', png: 'a picture' } as const;

/** Menus with what members can do with the dashboard and with each card: refresh, full screen, files, the address. */
export function showActions(board: Actionable, shown: ShownBoard): void {
  const exported = (format: string, more: object) => () =>
    void reported('The file is downloaded.', async () =>
      saveFile(
        await call('POST', `/api/dashboards/${board.dashboardId}/export`, { format, ...shown.chosen(), ...more }),
      ),
    );
  const files = (formats: Readonly<Record<string, string>>, more: object): Action[] =>
    board.mayExport
      ? Object.entries(formats).map(([format, name]) => ({ text: `Download as ${name}`, run: exported(format, more) }))
      : [];
  const page = board.pageId === null ? {} : { pageId: board.pageId };
  const place = byId('actions');
  if (place) {
    place.append(
      menuButton('Dashboard', 'Actions', () => [
        { text: 'Refresh', run: () => void reported('The cards are refreshed.', shown.refresh) },
        { text: 'Print', run: () => void shown.print() },
        ...fullScreen(document.documentElement),
        ...(board.mayLink
          ? [{ text: 'Share by a link', run: form((more) => more.showShareForm(platform, board.dashboardId)) }]
          : []),
        ...(board.mayShare
          ? [
              {
                text: 'Send by email',
                run: form((more) => more.showSubscribeForm(platform, { ...board, chosen: shown.chosen() })),
              },
            ]
          : []),
        { text: 'Copy the address of this view', run: () => void reported('The address is copied.', copyAddress) },
        ...files(FILES, page),
      ]),
    );
    place.hidden = false;
  }
  for (const { id } of board.cards) {
    const card = byId(`card-${id}`);
    const title = card?.getAttribute('aria-label') ?? 'Card';
    card
      ?.querySelector('.card-head')
      ?.append(menuButton(title, '⋯', () => [...fullScreen(card), ...files(CARD_FILES, { cardIds: [id] })]));
  }
}

/** A form of the script that is loaded when it is needed. */
const form = (open: (more: Awaited<ReturnType<typeof loadMore>>) => unknown) => () =>
  void loadMore().then(open, () => say('The server cannot be reached.'));

function menuButton(title: string, text: string, actions: () => Action[]): HTMLElement {
  const button = el(
    'button',
    { type: 'button', class: 'card-actions', 'aria-haspopup': 'menu', 'aria-label': `Actions of ${title}` },
    text,
  );
  button.addEventListener('click', () => openRowMenu(`Actions of ${title}`, actions(), button, button));
  return button;
}

/** Escape leaves the full screen, as everywhere. */
function fullScreen(element: HTMLElement): Action[] {
  if (!document.fullscreenEnabled) return [];
  return document.fullscreenElement === element
    ? [{ text: 'Leave the full screen', run: () => void document.exitFullscreen() }]
    : [{ text: 'Full screen', run: () => void element.requestFullscreen().catch(() => {}) }];
}

/** Filters, the selection and the time zone are in the address. */
const copyAddress = (): Promise<void> => navigator.clipboard.writeText(location.href);

/** Says how the work ended, to those who see the page and to those who hear it. */
async function reported(success: string, work: () => Promise<void>): Promise<void> {
  let text = success;
  try {
    say('…');
    await work();
  } catch (error) {
    text = error instanceof ApiError ? error.message : 'That did not work. Try again.';
  }
  say(text);
}

let timer: ReturnType<typeof setTimeout> | undefined;

function say(text: string): void {
  const line = byId('done') ?? el('p', { class: 'done', id: 'done', role: 'status' });
  if (!line.isConnected) document.querySelector('main')?.append(line);
  line.textContent = text;
  line.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => (line.hidden = true), 6000);
}
