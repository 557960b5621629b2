import { configOf } from '../../browser/dom.ts';
import { send } from './api.ts';
import { connectHost } from './host.ts';
import { type LinkBoard, showLink } from './link-offers.ts';
import { hideEnd, showEnd } from './page-parts.ts';

interface Config extends LinkBoard {
  token: string;
  expiresAt: string;
  /** The origins that may frame the page. */
  origins: string[];
}

followColors();
fitTabs();
const { token, expiresAt, origins, ...board } = configOf<Config>();
const key = { token };
const host = connectHost(origins, renew);
const shown = showLink(board, {
  key: () => key,
  onEnd: () => {
    showEnd('This view has expired', 'Reload the page to see it again.');
    host?.post({ type: 'expired' });
  },
});
host?.post({ type: 'ready', expiresAt });

/** Continues with another token, before or after the current one expires: filters and the scroll position are kept. */
async function renew(next: string): Promise<void> {
  const reply = await send('GET', `/api/shares/${next}`).catch(() => undefined);
  if (!reply) {
    host?.post({ type: 'expired' });
    return;
  }
  const link = (await reply.json()) as { expiresAt: string };
  key.token = next;
  history.replaceState(null, '', `/api/e/${next}${location.search}`);
  fitTabs();
  host?.post({ type: 'ready', expiresAt: link.expiresAt });
  if (!document.body.classList.contains('ended')) return;
  hideEnd();
  await shown.read();
}

/** Other pages of the dashboard open with the current token and with the colors that were chosen for the view. */
function fitTabs(): void {
  const theme = new URLSearchParams(location.search).get('theme');
  for (const tab of document.querySelectorAll<HTMLAnchorElement>('.tabs a')) {
    const address = new URL(tab.href);
    address.pathname = location.pathname;
    if (theme !== null) address.searchParams.set('theme', theme);
    tab.href = address.href;
  }
}

/** Light or dark, as the page around it chose for the view, or as the reader's system is. */
function followColors(): void {
  const { classList } = document.body;
  if (classList.contains('light-mode') || classList.contains('dark-mode')) return;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => {
    classList.toggle('dark-mode', dark.matches);
    classList.toggle('light-mode', !dark.matches);
  };
  follow();
  dark.addEventListener('change', follow);
}
