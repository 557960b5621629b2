import { byId, el } from '../../browser/dom.ts';
import { call, openSession } from './api.ts';

void offerWorkspaces();

/** Offers the other workspaces of the person, because what is not found may be in one of them. */
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
