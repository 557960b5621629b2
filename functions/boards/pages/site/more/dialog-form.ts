import { el, newName } from '../../../browser/dom.ts';

interface DialogForm {
  title: string;
  fields: readonly HTMLElement[];
  submit: string;
  /** Sends the form and returns what to show in its place. */
  send(): Promise<readonly (HTMLElement | string)[]>;
  messageOf(error: unknown): string;
}

/** A form in a box of its own. Escape closes it, as it does every dialog, and the focus returns to where it was. */
export function showDialogForm({ title, fields, submit, send, messageOf }: DialogForm): void {
  const from = document.activeElement;
  const heading = newName('dialog-title');
  const issue = el('p', { class: 'issue', role: 'alert' });
  const close = el('button', { type: 'button', class: 'plain' }, 'Close');
  const form = el(
    'form',
    {},
    ...fields,
    el('div', { class: 'dialog-end' }, el('button', { type: 'submit' }, submit)),
    issue,
  );
  const box = el(
    'dialog',
    { class: 'dialog-form', 'aria-labelledby': heading },
    el('div', { class: 'dialog-head' }, el('h2', { id: heading }, title), close),
    form,
  );
  close.addEventListener('click', () => box.close());
  box.addEventListener('close', () => {
    box.remove();
    if (from instanceof HTMLElement) from.focus();
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (!form.reportValidity()) return;
    form.inert = true;
    issue.textContent = '';
    try {
      const done = el('div', { role: 'status', tabindex: '-1' }, ...(await send()));
      form.replaceWith(done);
      done.focus();
    } catch (error) {
      form.inert = false;
      issue.textContent = messageOf(error);
      form.querySelector<HTMLElement>('input, select')?.focus();
    }
  });
  document.body.append(box);
  box.showModal();
}

export const choiceOf = (texts: Readonly<Record<string, string>>): HTMLSelectElement =>
  el('select', {}, ...Object.entries(texts).map(([value, text]) => el('option', { value }, text)));

export const labelled = (text: string, control: HTMLElement): HTMLElement => el('label', {}, text, control);

export const checked = (text: string, control: HTMLElement): HTMLElement =>
  el('label', { class: 'check' }, control, text);
