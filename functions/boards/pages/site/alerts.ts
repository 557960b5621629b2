import { ApiError, call, openedSession } from './api.ts';
import { byId, el, newName } from './dom.ts';

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
const REDUCERS = { any_row: 'Any row', last: 'Last row', sum: 'Sum', max: 'Highest', min: 'Lowest' };
const OPERATORS = { gt: 'is above', lt: 'is below', gte: 'is at least', lte: 'is at most' };
const TIMES = { '': 'After new data', '0 * * * *': 'Every hour', '0 8 * * *': 'Every morning at 8' };

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
      else this.#showForm(cardId, title, numbers);
    } catch (error) {
      this.#form.replaceChildren(el('p', { class: 'issue', role: 'alert' }, messageOf(error)));
    }
    this.#content.scrollIntoView({ block: 'nearest' });
  }

  #showForm(cardId: string, title: string, numbers: readonly string[]): void {
    const column = choice(Object.fromEntries(numbers.map((name) => [name, name])));
    const reduce = choice(REDUCERS);
    const operator = choice(OPERATORS);
    const threshold = el('input', { type: 'number', step: 'any', required: true, autocomplete: 'off' });
    const when = choice(TIMES);
    const byMail = el('input', { type: 'checkbox' });
    const issue = el('p', { class: 'issue', role: 'alert' });
    const heading = newName('alert-on');
    const form = el(
      'form',
      { 'aria-labelledby': heading },
      el('h2', { id: heading }, `Alert on ${title}`),
      el('label', {}, 'Column', column),
      el('label', {}, 'Value', reduce),
      el('label', {}, 'Condition', operator),
      el('label', {}, 'Threshold', threshold),
      el('label', {}, 'Check', when),
      el('label', { class: 'check' }, byMail, 'Also by email'),
      el('button', { type: 'submit' }, 'Set the alert'),
      issue,
    );
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (!form.reportValidity()) return;
      form.inert = true;
      issue.textContent = '';
      try {
        const { user } = await openedSession();
        const words = OPERATORS[operator.value as keyof typeof OPERATORS];
        await this.#create({
          name: `${title}: ${column.value} ${words} ${threshold.value}`,
          condition: {
            kind: 'field',
            source: { kind: 'card', id: cardId, dashboardId: this.#dashboardId },
            ...{ column: column.value, reduce: reduce.value, operator: operator.value },
            threshold: Number(threshold.value),
          },
          channels: { inApp: { userIds: [user.id] }, ...(byMail.checked && { email: { userIds: [user.id] } }) },
          ...(when.value !== '' && { scheduleCron: when.value, timezone: zone() }),
        });
        this.show(await list(this.#dashboardId));
        this.#form.replaceChildren();
        this.#status.textContent = 'The alert is set.';
        this.#summary.focus();
      } catch (error) {
        form.inert = false;
        issue.textContent = messageOf(error);
        threshold.focus();
      }
    });
    this.#form.replaceChildren(form);
    threshold.focus();
  }

  /** A name that is taken gets the time behind it. */
  async #create(alert: { name: string; [member: string]: unknown }): Promise<void> {
    const name = (text: string) => text.slice(0, 200);
    try {
      await call('POST', ALERTS, { ...alert, name: name(alert.name) });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'ALERT_NAME_TAKEN') throw error;
      const time = ` (${new Date().toLocaleString()})`;
      await call('POST', ALERTS, { ...alert, name: name(alert.name).slice(0, 200 - time.length) + time });
    }
  }
}

const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const choice = (texts: Readonly<Record<string, string>>): HTMLSelectElement =>
  el('select', {}, ...Object.entries(texts).map(([value, text]) => el('option', { value }, text)));

const messageOf = (error: unknown): string =>
  error instanceof ApiError ? [error.message, ...error.reasons].join(' ') : 'The server cannot be reached.';
