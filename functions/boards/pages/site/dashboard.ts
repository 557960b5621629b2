import { showBoard } from '../../browser/board.ts';
import { cardMenus } from '../../browser/card-menus.ts';
import { configOf } from '../../browser/dom.ts';
import { type Actionable, showActions } from './actions.ts';
import { showAlerts } from './alerts.ts';
import { type Bookmarked, openDefault, showBookmarks } from './bookmarks.ts';
import { cardsDiscussed } from './comments/cards-discussed.ts';
import { showComments } from './comments/panel.ts';
import { loadMore } from './load-more.ts';
import { showMark } from './mark.ts';
import { memberAccess } from './member-access.ts';
import { offerSearch } from './search.ts';
import { offerSignOut } from './sign-out.ts';

void show(configOf<Actionable & Bookmarked>());

async function show(board: Actionable & Bookmarked): Promise<void> {
  offerSignOut();
  offerSearch();
  showBookmarks(board);
  if (await openDefault(board).catch(() => false)) return;
  showActions(board, showBoard(board, memberAccess(board.dashboardId), { menus: cardMenus(loadMore) }));
  await Promise.all([showComments(cardsDiscussed(board)), showAlerts(board), showMark('dashboard', board.dashboardId)]);
}
