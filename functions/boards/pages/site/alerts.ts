import { byId, el } from '../../browser/dom.ts';
import { call, messageOf, platform } from './api.ts';
import { loadMore } from './load-more.ts';

interface Alert {
  id: string;
  name: string;
  condition: { source?: { id: string } };
  state?: string;
  health?: string;
  status: string;
}

interface Column {
  name: string;
  role: string;
}

const ALERTS = '/api/dashboard-alerts';

const STATES: Readonly<Record<string, string>> = {
  unknown: 'not checked yet',
  ok: 'OK',
  pending: 'about to fire',
  triggered: 'fired',
  recovering: 'recovering',
};

/** A menu with the alerts on the dashboard, and a button on each card that sets one. */
export async function showAlerts({ dashboardId }: { dashboardId: string }): Promise<void> {
  const menu = byId<HTMLDetailsElement>('alerts');
  if (!menu) return;
  const found = await list(dashboardId).catch(() => undefined);
  if (!found) return;
  new AlertMenu(menu, dashboardId).show(found);
}

const list = async (dashboardId: string): Promise<Alert[]> => {
  const reply = await call('GET', `${ALERTS}?dashboardId=${dashboardId}&limit=200`);
  return ((await reply.json()) as { items: Alert[] }).items;
};

class AlertMenu {
  readonly #menu: HTMLDetailsElement;
  readonly #dashboardId: string;
  readonly #summary = el('summary', {});
  readonly #content = el('div', { class: 'bookmark-menu alert-menu' });
  readonly #list = el('ul', {});
  readonly #form = el('div', {});
  readonly #status = el('p', { class: 'hint', role: 'status' });

  constructor(menu: HTMLDetailsElement, dashboardId: string) {
    this.#menu = menu;
    this.#dashboardId = dashboardId;
    this.#content.append(this.#list, this.#form, this.#status);
    menu.replaceChildren(this.#summary, this.#content);
    menu.hidden = false;
    menu.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !menu.open) return;
      menu.open = false;
      this.#summary.focus();
    });
    menu.addEventListener('toggle', () => {
      if (!menu.open) this.#form.replaceChildren();
    });
  }

  show(alerts: readonly Alert[]): void {
    this.#summary.textContent = alerts.length === 0 ? 'Alerts' : `Alerts (${alerts.length})`;
    const none = el('li', { class: 'hint' }, 'No alerts on these cards yet. Use the bell on a card to set one.');
    this.#list.replaceChildren(...(alerts.length === 0 ? [none] : alerts.map((alert) => this.#rowOf(alert))));
    const fired = new Set(
      alerts.filter(({ state }) => state === 'triggered').map(({ condition }) => condition.source?.id),
    );
    for (const card of document.querySelectorAll<HTMLElement>('.card:has([data-card])')) {
      const id = card.id.slice('card-'.length);
      card.querySelector('.alert-bell')?.remove();
      const count = alerts.filter(({ condition }) => condition.source?.id === id).length;
      card.append(this.#bellOf(id, card, { count, hasFired: fired.has(id) }));
    }
  }

  #rowOf({ name, state = 'unknown', health, status, condition }: Alert): HTMLLIElement {
    const text = status !== 'active' ? status : health === 'error' ? 'cannot be evaluated' : (STATES[state] ?? state);
    const cardId = condition.source?.id ?? '';
    return el('li', {}, el('a', { href: `#card-${cardId}` }, name), ' ', el('span', { class: 'hint' }, text));
  }

  #bellOf(id: string, card: HTMLElement, { count, hasFired }: { count: number; hasFired: boolean }): HTMLButtonElement {
    const title = card.getAttribute('aria-label') ?? 'this card';
    const set = count === 0 ? '' : `, ${count} set${hasFired ? ', fired' : ''}`;
    const bell = el('button', { type: 'button', class: 'alert-bell', 'aria-label': `Set an alert on ${title}${set}` });
    bell.append(el('span', { class: 'bell', 'aria-hidden': 'true' }), ...(count === 0 ? [] : [String(count)]));
    bell.classList.toggle('none', count === 0);
    bell.classList.toggle('fired', hasFired);
    bell.addEventListener('click', () => void this.#ask(id, title));
    return bell;
  }

  async #ask(cardId: string, title: string): Promise<void> {
    this.#status.textContent = '';
    this.#menu.open = true;
    try {
      const path = `/api/dashboards/${this.#dashboardId}/cards/${cardId}/data`;
      const { columns } = (await (await call('POST', path, {})).json()) as { columns: Column[] };
      const numbers = columns.filter(({ role }) => role === 'measure').map(({ name }) => name);
      if (numbers.length === 0)
        this.#form.replaceChildren(el('p', { class: 'hint' }, `${title} has no numbers to set an alert on.`));
      else
        (await loadMore()).showAlertForm(platform, this.#form, {
          ...{ dashboardId: this.#dashboardId, cardId, title, numbers },
          onSet: async () => {
            this.show(await list(this.#dashboardId));
            this.#form.replaceChildren();
            this.#status.textContent = 'The alert is set.';
            this.#summary.focus();
          },
        });
    } catch (error) {
      this.#form.replaceChildren(el('p', { class: 'issue', role: 'alert' }, messageOf(error)));
    }
    this.#content.scrollIntoView({ block: 'nearest' });
  }
}
