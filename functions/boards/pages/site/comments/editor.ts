import { el, newName } from '../../../browser/dom.ts';
import { ApiError } from '../api.ts';
import type { Candidate, CommentApi, Written } from './api.ts';
import { addName, type Names, storedText } from './text.ts';

const MAX_CHARACTERS = 10_000;
const WAIT_MS = 150;

interface Editing {
  label: string;
  button: string;
  text?: string;
  names?: Names;
  send(content: string): Promise<Written>;
  /** Gets what to report to the person. */
  done(message: string): Promise<void>;
  cancel?: () => void;
}

/** A box to write a comment, in which `@` completes the names of people and groups. */
export function editorOf(api: Pick<CommentApi, 'candidates' | 'type'>, editing: Editing): HTMLFormElement {
  const { names = new Map(), text = '' } = editing;
  const id = newName('comment');
  const input = el('textarea', {
    id,
    rows: '3',
    maxlength: String(MAX_CHARACTERS),
    required: true,
    'aria-autocomplete': 'list',
    'aria-describedby': `${id}-help`,
  });
  input.value = text;
  const help = el(
    'p',
    { class: 'hint', id: `${id}-help` },
    'Type @ to mention people. Press Ctrl+Enter or ⌘+Enter to send.',
  );
  const issue = el('p', { class: 'issue', role: 'alert' });
  const status = el('p', { class: 'hint', role: 'status' });
  const send = el('button', { type: 'submit', class: 'main' }, editing.button);
  const cancel = el('button', { type: 'button', class: 'plain' }, 'Cancel');
  const buttons = el('div', { class: 'comment-buttons' }, send, ...(editing.cancel ? [cancel] : []));
  const form = el('form', { class: 'comment-editor' }, el('label', { for: id }, editing.label));
  form.append(input, completionOf(api, input, names, status), help, status, issue, buttons);
  cancel.addEventListener('click', () => editing.cancel?.());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (send.disabled || input.value.trim() === '') return;
    send.disabled = true;
    issue.textContent = '';
    try {
      const { mentioned } = await editing.send(storedText(input.value, names));
      input.value = '';
      status.textContent = '';
      await editing.done(storedMessage(mentioned, api.type));
    } catch (error) {
      issue.textContent = issueText(error);
    }
    send.disabled = false;
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  return form;
}

function storedMessage(mentioned: Written['mentioned'], type: CommentApi['type']): string {
  const count = mentioned.filter(({ reason }) => reason === 'NO_ACCESS').length;
  if (count === 0) return 'The comment is stored.';
  const people = count === 1 ? 'One mentioned person was' : `${count} mentioned people were`;
  return `The comment is stored. ${people} not notified, for lack of access to this ${type}.`;
}

const issueText = (error: unknown): string =>
  error instanceof ApiError ? [error.message, ...error.reasons].join(' ') : 'The server cannot be reached.';

/** The list of people whose names begin as what stands behind the last `@`. */
function completionOf(
  api: Pick<CommentApi, 'candidates' | 'type'>,
  input: HTMLTextAreaElement,
  names: Names,
  status: HTMLElement,
): HTMLElement {
  const id = newName('people');
  const list = el('ul', {
    id,
    class: 'comment-people',
    role: 'listbox',
    'aria-label': 'People to mention',
    hidden: true,
  });
  let found: Candidate[] = [];
  let chosen = 0;
  let asked = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const typed = (): string | undefined =>
    /(?:^|\s)@([^@\n]{0,60})$/.exec(input.value.slice(0, input.selectionStart))?.[1];

  const close = () => {
    list.hidden = true;
    found = [];
    input.removeAttribute('aria-activedescendant');
    input.removeAttribute('aria-controls');
  };
  const select = (index: number) => {
    chosen = index;
    for (const [at, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(at === index));
    input.setAttribute('aria-activedescendant', `${id}-${index}`);
    list.children[index]?.scrollIntoView({ block: 'nearest' });
  };
  const take = (index: number) => {
    const start = input.selectionStart - typed()!.length;
    const name = addName(names, found[index]!);
    input.setRangeText(`${name} `, start, input.selectionStart, 'end');
    close();
    input.focus();
  };
  const look = async () => {
    const text = typed();
    asked += 1;
    const own = asked;
    // A name that was chosen already is complete.
    if (text === undefined || [...names.keys()].some((name) => text.startsWith(name))) return close();
    const people = await api.candidates(text.trim()).catch(() => []);
    if (own !== asked) return;
    found = people.slice(0, 8);
    if (found.length === 0) return close();
    list.replaceChildren(...found.map((person, index) => optionOf(person, `${id}-${index}`, api.type)));
    list.hidden = false;
    input.setAttribute('aria-controls', id);
    status.textContent = `${found.length} found. Choose with the arrow keys, and press Enter to mention.`;
    select(0);
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), WAIT_MS);
  });
  input.addEventListener('blur', () => setTimeout(close, 200));
  input.addEventListener('keydown', (event) => {
    if (list.hidden) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) select((chosen + step + found.length) % found.length);
    else if (event.key === 'Enter' || event.key === 'Tab') take(chosen);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  list.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    const option = (event.target as Element).closest('[role=option]');
    const index = option ? [...list.children].indexOf(option) : -1;
    if (index >= 0) take(index);
  });
  return list;
}

function optionOf({ name, email, hasAccess }: Candidate, id: string, type: CommentApi['type']): HTMLElement {
  const note = hasAccess === false ? `may not see this ${type}` : (email ?? 'group');
  return el('li', { id, role: 'option' }, el('span', {}, name), el('span', { class: 'hint' }, note));
}
