import type { CardFilter } from '../../../browser/conditions.ts';
import { el } from '../../../browser/dom.ts';
import type { Platform } from '../api.ts';
import { choiceOf, labelled, showDialogForm } from './dialog-form.ts';

const TIMES = {
  '0 8 * * *': 'Every day at 8',
  '0 8 * * 1': 'Mondays at 8',
  '0 8 1 * *': 'On the first of the month at 8',
};
const FILES = { '': 'No file', pdf: 'PDF', xlsx: 'Excel', pptx: 'PowerPoint', docx: 'Word' };
const CONDITIONS = { always: 'Always', changed: 'Only if the numbers have changed', hasRows: 'Only if there are rows' };

interface View {
  dashboardId: string;
  pageId: string | null;
  /** What the reader has chosen, which the emails have too. */
  chosen: { filters: CardFilter[]; timezone?: string | undefined };
}

/** A form that sends the dashboard by email on a schedule. */
export async function showSubscribeForm(platform: Platform, { dashboardId, pageId, chosen }: View): Promise<void> {
  const { call, openedSession, messageOf } = platform;
  const { user } = await openedSession();
  const name = el('input', {
    required: true,
    maxlength: '200',
    value: document.querySelector('h1')?.textContent ?? '',
  });
  const to = el('input', { required: true, value: user.email, autocomplete: 'off' });
  const [when, file, condition] = [choiceOf(TIMES), choiceOf(FILES), choiceOf(CONDITIONS)];
  const timezone = chosen.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const count = chosen.filters.length;
  const filtered = count === 0 ? '' : ` with the ${count === 1 ? 'filter' : `${count} filters`} of this view`;
  showDialogForm({
    title: 'Send by email',
    fields: [
      labelled('Name', name),
      labelled('To, separated by commas', to),
      labelled('When', when),
      labelled('Send it', condition),
      labelled('Attach', file),
      el('p', { class: 'hint' }, `In the time zone ${timezone}${filtered}. Recipients see only what they may see.`),
    ],
    submit: 'Save',
    messageOf,
    async send() {
      await call('POST', `/api/dashboards/${dashboardId}/schedules`, {
        name: name.value,
        cron: when.value,
        timezone,
        recipients: to.value.split(/[\s,;]+/).filter((address) => address !== ''),
        format: file.value || null,
        condition: condition.value,
        filters: chosen.filters,
        pageId,
      });
      return [el('p', {}, 'The emails are scheduled. Each has a link with which its recipient can unsubscribe.')];
    },
  });
}
