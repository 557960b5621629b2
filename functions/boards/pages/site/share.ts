import { byId, configOf } from '../../browser/dom.ts';
import { ApiError, send } from './api.ts';
import type { LinkKey } from './link-access.ts';
import { type LinkBoard, showLink } from './link-offers.ts';
import { type PageParts, showEnd, showParts } from './page-parts.ts';

const config = configOf<(LinkBoard & { token: string }) | { token: string }>();
let left: AbortController | undefined;

if ('cards' in config) show(config, { token: config.token });
else askPassword(config.token);

function show(board: LinkBoard, key: LinkKey): void {
  left?.abort();
  left = new AbortController();
  showLink(board, {
    key: () => key,
    onEnd: ({ code }) => {
      // The pass has expired: the page asks for the password when it is opened again.
      if (code === 'SHARE_PASSWORD') location.reload();
      else showEnd('This link no longer works', 'It has expired, or its owner has removed it.');
    },
    left: left.signal,
  });
}

function askPassword(token: string): void {
  const form = byId<HTMLFormElement>('unlock')!;
  const input = form.querySelector('input')!;
  const button = form.querySelector('button')!;
  const issue = byId('issue')!;
  form.hidden = false;
  input.focus();
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (!form.reportValidity()) return;
    button.disabled = true;
    issue.textContent = '';
    try {
      await open({ token, password: input.value }, new URLSearchParams(location.search).get('page'));
    } catch (error) {
      issue.textContent = error instanceof ApiError ? error.message : 'The server cannot be reached.';
      input.select();
    }
    button.disabled = false;
  });
}

async function open(key: LinkKey & { password: string }, page: string | null): Promise<void> {
  const { token, password } = key;
  const reply = await send('POST', `/api/s/${token}`, { password, ...(page !== null && { page }) });
  const parts = (await reply.json()) as PageParts & { config: LinkBoard & { pass: string } };
  const opened = { token, password: parts.config.pass };
  showParts(parts);
  show(parts.config, opened);
  // Opening the address of a tab would lose the password.
  for (const tab of document.querySelectorAll<HTMLAnchorElement>('.tabs a')) {
    tab.addEventListener('click', (event) => {
      event.preventDefault();
      history.replaceState(null, '', tab.href);
      void open(opened, new URL(tab.href).searchParams.get('page')).catch((error: Error) =>
        showEnd('The page cannot be shown', error.message),
      );
    });
  }
}
