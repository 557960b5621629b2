import type { ThemeTokens } from '../../../shared/data/charts/theme.ts';
import { call, endSession, openSession } from './api.ts';
import { type CardConfig, showCards } from './cards.ts';
import { conditionsOf, type Filter } from './conditions.ts';
import { byId, configOf, el } from './dom.ts';
import { showFilters, valuesOf } from './filters.ts';

interface Config {
  dashboardId: string;
  tokens: ThemeTokens;
  cards: CardConfig[];
  filters: Filter[];
}

const config = configOf<Config | null>();
if (config) showDashboard(config);
else void offerWorkspaces();

function showDashboard({ dashboardId, tokens, cards, filters }: Config): void {
  let values = valuesOf(filters);
  const shown = showCards(cards, { dashboardId, tokens, filters: () => conditionsOf(filters, values) });
  const form = document.querySelector<HTMLFormElement>('form.filters');
  if (form) {
    showFilters(form, { dashboardId, filters, values }, (chosen) => {
      values = chosen;
      void shown.read();
    });
  }
  void shown.read();
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
