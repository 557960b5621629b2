import { el } from '../../../browser/dom.ts';
import type { Platform } from '../api.ts';
import { checked, choiceOf, labelled, showDialogForm } from './dialog-form.ts';

const TYPES = { public: 'Anyone with the link', password: 'Anyone with the link and a password' };
const DAYS = { '7': 'In 7 days', '30': 'In 30 days', '90': 'In 90 days', '': 'Never' };
const DAY_MS = 86_400_000;

/** A form that creates a link to the dashboard for readers without an account, which is shown once. */
export function showShareForm({ call, messageOf }: Platform, dashboardId: string): void {
  const type = choiceOf(TYPES);
  const password = el('input', { type: 'password', minlength: '8', maxlength: '256', autocomplete: 'new-password' });
  const protectedBy = labelled('Password', password);
  const ends = choiceOf(DAYS);
  const allowExport = el('input', { type: 'checkbox' });
  const showPassword = () => {
    protectedBy.hidden = type.value !== 'password';
    password.required = !protectedBy.hidden;
  };
  type.addEventListener('change', showPassword);
  showPassword();
  showDialogForm({
    title: 'Share by a link',
    fields: [
      labelled('Who can open it', type),
      protectedBy,
      labelled('The link ends', ends),
      checked('Readers may download rows', allowExport),
    ],
    submit: 'Create the link',
    messageOf,
    async send() {
      const reply = await call('POST', '/api/shares', {
        contentType: 'dashboard',
        contentId: dashboardId,
        shareType: type.value,
        allowExport: allowExport.checked,
        ...(type.value === 'password' && { password: password.value }),
        ...(ends.value !== '' && { expiresAt: new Date(Date.now() + Number(ends.value) * DAY_MS).toISOString() }),
      });
      const { url } = (await reply.json()) as { url: string };
      const address = el('input', { readonly: true, value: url, 'aria-label': 'Address of the link' });
      const copy = el('button', { type: 'button' }, 'Copy');
      copy.addEventListener('click', async () => {
        address.select();
        try {
          await navigator.clipboard.writeText(url);
          copy.textContent = 'Copied';
        } catch {
          // Without HTTPS there is no clipboard.
          copy.textContent = 'Selected: copy it with the keyboard';
        }
      });
      const note = 'The link is created. Copy it now, it is not shown again. Its readers see the published dashboard.';
      return [el('p', {}, note), el('div', { class: 'dialog-end' }, address, copy)];
    },
  });
}
