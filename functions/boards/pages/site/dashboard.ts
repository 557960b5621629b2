import { call, endSession, openSession } from './api.ts';
import { type Board, showBoard } from './board.ts';
import { type Bookmarked, openDefault, showBookmarks } from './bookmarks.ts';
import { showComments } from './comments/panel.ts';
import { byId, configOf, el } from './dom.ts';
import { memberAccess } from './member-access.ts';

const config = configOf<(Board & Bookmarked) | null>();
if (config) {
  void show(config);
} else void offerWorkspaces();

async function show(board: Board & Bookmarked): Promise<void> {
  offerSignOut();
  showBookmarks(board);
  if (await openDefault(board).catch(() => false)) return;
  showBoard(board, memberAccess(board.dashboardId));
  await showComments(board);
}

function offerSignOut(): void {
  const signOut = byId<HTMLButtonElement>('sign-out');
  if (!signOut) return;
  signOut.hidden = false;
  signOut.addEventListener('click', async () => {
    await endSession();
    location.assign('/api/sign-in');
  });
}

/** Offers the other workspaces of the person, because a dashboard that is not found may be in one of them. */
async function offerWorkspaces(): Promise<void> {
  const place = byId('elsewhere');
  if (!place) return;
  const { workspaceId } = await openSession();
  const reply = await call('GET', '/api/auth/me');
  const { workspaces } = (await reply.json()) as { workspaces: { id: string; name: string }[] };
  const others = workspaces.filter(({ id }) => id !== workspaceId);
  if (others.length === 0) return;
  place.append(el('p', {}, 'Look in your other workspaces:'));
  for (const { id, name } of others) {
    const button = el('button', { type: 'button' }, name);
    button.addEventListener('click', async () => {
      await openSession({ workspaceId: id });
      location.reload();
    });
    place.append(button);
  }
}
