import { addressOf, type Bookmarked } from '../../browser/bookmarks.ts';
import { byId, el } from '../../browser/dom.ts';
import { call, platform } from './api.ts';
import { listBookmarks } from './bookmark-list.ts';
import { loadMore } from './load-more.ts';

export type { Bookmarked } from '../../browser/bookmarks.ts';

/** The bookmark that an address with nothing chosen opens: the reader's own default, or that of everyone. */
export async function openDefault({ dashboardId }: Bookmarked): Promise<boolean> {
  if (location.search !== '') return false;
  const found = (await listBookmarks(call, dashboardId)).filter(({ isDefault }) => isDefault);
  const chosen = found.find(({ isPersonal }) => isPersonal) ?? found[0];
  if (!chosen) return false;
  location.replace(addressOf(chosen));
  return true;
}

/** The menu of bookmarks, whose content is loaded when it opens. */
export function showBookmarks(page: Bookmarked): void {
  const menu = byId<HTMLDetailsElement>('bookmarks');
  if (!menu) return;
  const content = el('div', { class: 'bookmark-menu' });
  menu.replaceChildren(el('summary', {}, 'Bookmarks'), content);
  menu.hidden = false;
  const fill = async () => {
    const more = await loadMore().catch(() => undefined);
    if (more) await more.fillBookmarks(platform, page, content);
    else content.replaceChildren('The server cannot be reached.');
  };
  menu.addEventListener('toggle', () => {
    if (menu.open) void fill();
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    menu.open = false;
    menu.querySelector('summary')!.focus();
  });
}
