import { el, newName } from '../../../browser/dom.ts';
import type { Platform } from '../api.ts';

const ALERTS = '/api/dashboard-alerts';
const REDUCERS = { any_row: 'Any row', last: 'Last row', sum: 'Sum', max: 'Highest', min: 'Lowest' };
const OPERATORS = { gt: 'is above', lt: 'is below', gte: 'is at least', lte: 'is at most' };
const TIMES = { '': 'After new data', '0 * * * *': 'Every hour', '0 8 * * *': 'Every morning at 8' };

interface Asked {
  dashboardId: string;
  cardId: string;
  title: string;
  /** The columns with numbers. */
  numbers: readonly string[];
  /** Called once the alert is set. */
  onSet: () => Promise<void>;
}

/** A form that sets an alert on a number of a card. */
export function showAlertForm(
  { call, openedSession, messageOf }: Platform,
  place: HTMLElement,
  { dashboardId, cardId, title, numbers, onSet }: Asked,
): void {
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
      await create(call, {
        name: `${title}: ${column.value} ${words} ${threshold.value}`,
        condition: {
          kind: 'field',
          source: { kind: 'card', id: cardId, dashboardId: dashboardId },
          ...{ column: column.value, reduce: reduce.value, operator: operator.value },
          threshold: Number(threshold.value),
        },
        channels: { inApp: { userIds: [user.id] }, ...(byMail.checked && { email: { userIds: [user.id] } }) },
        ...(when.value !== '' && { scheduleCron: when.value, timezone: zone() }),
      });
      await onSet();
    } catch (error) {
      form.inert = false;
      issue.textContent = messageOf(error);
      threshold.focus();
    }
  });
  place.replaceChildren(form);
  threshold.focus();
}

/** A name that is taken gets the time behind it. */
async function create(call: Platform['call'], alert: { name: string; [member: string]: unknown }): Promise<void> {
  const name = (text: string) => text.slice(0, 200);
  try {
    await call('POST', ALERTS, { ...alert, name: name(alert.name) });
  } catch (error) {
    if ((error as { code?: string }).code !== 'ALERT_NAME_TAKEN') throw error;
    const time = ` (${new Date().toLocaleString()})`;
    await call('POST', ALERTS, { ...alert, name: name(alert.name).slice(0, 200 - time.length) + time });
  }
}

const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const choice = (texts: Readonly<Record<string, string>>): HTMLSelectElement =>
  el('select', {}, ...Object.entries(texts).map(([value, text]) => el('option', { value }, text)));
