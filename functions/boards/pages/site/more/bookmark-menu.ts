import { addressOf, type Bookmark, type Bookmarked, stateNow } from '../../../browser/bookmarks.ts';
import { el } from '../../../browser/dom.ts';
import type { Platform } from '../api.ts';
import { listBookmarks } from '../bookmark-list.ts';

/** The menu of bookmarks: open one, save what is chosen, update and delete. */
export async function fillBookmarks(platform: Platform, page: Bookmarked, content: HTMLElement): Promise<void> {
  const { call, messageOf } = platform;
  const issue = el('p', { class: 'issue', role: 'alert' });
  const attempt = async (run: () => Promise<unknown>) => {
    issue.textContent = '';
    const pressed = document.activeElement;
    // The list is about to be read again: what is pressed until then would be lost.
    content.inert = true;
    try {
      await run();
      await fillBookmarks(platform, page, content);
      content.inert = false;
      // The button that was pressed is gone.
      content.querySelector('input')?.focus();
    } catch (error) {
      content.inert = false;
      if (pressed instanceof HTMLElement) pressed.focus();
      issue.textContent = messageOf(error);
    }
  };
  const found = await listBookmarks(call, page.dashboardId).catch(() => undefined);
  if (!found) {
    issue.textContent = 'The bookmarks cannot be read.';
    return content.replaceChildren(issue);
  }
  const open = new URLSearchParams(location.search).get('bookmark');
  const rows = found.map((bookmark) => rowOf(bookmark, { call, page, attempt, isOpen: bookmark.id === open }));
  const none = found.length === 0 ? [el('p', { class: 'hint' }, 'There are no bookmarks yet.')] : [];
  const original = el('a', { href: `${location.pathname}?bookmark=none` }, 'Open without a bookmark');
  content.replaceChildren(...none, el('ul', {}, ...rows), original, formOf(page, { call, attempt }), issue);
}

interface RowOptions {
  call: Platform['call'];
  page: Bookmarked;
  attempt(run: () => Promise<unknown>): Promise<void>;
  isOpen: boolean;
}

function rowOf(bookmark: Bookmark, { call, page, attempt, isOpen }: RowOptions) {
  const { id, name, isDefault, isPersonal } = bookmark;
  const path = `/api/dashboards/bookmarks/${id}`;
  const link = el('a', { href: addressOf(bookmark), ...(isOpen && { 'aria-current': 'true' }) }, name);
  const notes = [isDefault && 'opens first', !isPersonal && 'for everyone'].filter(Boolean).join(', ');
  const change = isPersonal || page.mayShare;
  const update = button(`Update ${name}`, 'Update', () => attempt(() => call('PUT', path, { state: stateNow(page) })));
  const remove = button(`Delete ${name}`, 'Delete', async () => {
    // The second click deletes, because a deleted bookmark is gone.
    if (remove.dataset.asked === undefined) {
      remove.dataset.asked = '';
      remove.textContent = 'Really delete?';
      remove.setAttribute('aria-label', `Really delete ${name}?`);
    } else await attempt(() => call('DELETE', path));
  });
  return el('li', {}, link, ' ', el('span', { class: 'hint' }, notes), ...(change ? [update, remove] : []));
}

function button(label: string, text: string, run: () => Promise<void>): HTMLButtonElement {
  const made = el('button', { type: 'button', class: 'plain', 'aria-label': label }, text);
  made.addEventListener('click', () => void run());
  return made;
}

function formOf(page: Bookmarked, { call, attempt }: Pick<RowOptions, 'call' | 'attempt'>): HTMLFormElement {
  const name = el('input', { name: 'name', required: true, maxlength: '200', autocomplete: 'off' });
  const isDefault = el('input', { type: 'checkbox' });
  const isShared = el('input', { type: 'checkbox' });
  const form = el(
    'form',
    {},
    el('label', {}, 'Save this view as', name),
    el('label', { class: 'check' }, isDefault, 'Open the dashboard with it'),
    ...(page.mayShare ? [el('label', { class: 'check' }, isShared, 'For everyone')] : []),
    el('button', { type: 'submit' }, 'Save'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!form.reportValidity()) return;
    const body = { name: name.value, isDefault: isDefault.checked, isPersonal: !isShared.checked };
    void attempt(() =>
      call('POST', `/api/dashboards/${page.dashboardId}/bookmarks`, { ...body, state: stateNow(page) }),
    );
  });
  return form;
}
