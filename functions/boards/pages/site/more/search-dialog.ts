import { el } from '../../../browser/dom.ts';
import type { Platform } from '../api.ts';

interface Suggestion {
  type: string;
  id: string;
  name: string;
  parent: { id: string; name: string } | null;
}

/** What has a page of its own, with the word for it and its address. */
const PAGES: Readonly<Record<string, { word: string; addressOf(found: Suggestion): string }>> = {
  dashboard: { word: 'Dashboard', addressOf: ({ id }) => `/api/d/${id}` },
  story: { word: 'Story', addressOf: ({ id }) => `/api/d/stories/${id}` },
  card: { word: 'Card', addressOf: ({ id, parent }) => `/api/d/${parent!.id}#card-${id}` },
};
const TYPES = Object.keys(PAGES)
  .map((type) => `type:${type}`)
  .join(' ');

/** Requests wait until the reader pauses. */
const PAUSE_MS = 150;
const MAX_LENGTH = 120;

interface Parts {
  box: HTMLDialogElement;
  input: HTMLInputElement;
  list: HTMLElement;
  status: HTMLElement;
}

/** The input keeps the focus; the option that Enter opens is the active one. */
function dialog(): Parts {
  const input = el('input', {
    type: 'search',
    role: 'combobox',
    'aria-label': 'Search dashboards, cards and stories',
    'aria-expanded': 'false',
    'aria-controls': 'search-results',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: String(MAX_LENGTH),
    placeholder: 'Search dashboards, cards and stories',
  });
  const list = el('div', { role: 'listbox', id: 'search-results', 'aria-label': 'Results', hidden: true });
  const status = el('p', { role: 'status' });
  const close = el('button', { type: 'button', class: 'plain' }, 'Close');
  const box = el(
    'dialog',
    { class: 'search', 'aria-label': 'Search' },
    el('div', { class: 'search-head' }, input, close),
    list,
    status,
  );
  close.addEventListener('click', () => box.close());
  box.addEventListener('click', ({ target }) => target === box && box.close());
  document.body.append(box);
  return { box, input, list, status };
}

/** Makes the box to search in; what is returned opens it. */
export function searchOpener(platform: Platform): () => void {
  const { box, input, list, status } = dialog();
  let pause: ReturnType<typeof setTimeout> | undefined;

  const optionsIn = () => [...list.querySelectorAll<HTMLAnchorElement>('a')];
  const activate = (option: HTMLAnchorElement | undefined) => {
    for (const each of optionsIn()) each.setAttribute('aria-selected', String(each === option));
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
    option?.scrollIntoView({ block: 'nearest' });
  };
  const show = (found: readonly Suggestion[], message: string) => {
    list.replaceChildren(...found.map(optionOf));
    list.hidden = found.length === 0;
    input.setAttribute('aria-expanded', String(found.length > 0));
    status.textContent = message;
    activate(optionsIn()[0]);
  };
  const search = async () => {
    const query = input.value.trim();
    if (query === '') return show([], '');
    try {
      const found = await suggestionsFor(platform, query);
      // A later input may have been answered before this one.
      if (query !== input.value.trim()) return;
      const count = found.length === 1 ? '1 result' : `${found.length} results`;
      show(found, found.length === 0 ? `Nothing found for “${query}”.` : count);
    } catch (error) {
      if (query === input.value.trim()) show([], textOf(platform, error));
    }
  };
  input.addEventListener('input', () => {
    clearTimeout(pause);
    pause = setTimeout(() => void search(), PAUSE_MS);
  });
  input.addEventListener('keydown', (event) => {
    const options = optionsIn();
    const at = options.findIndex((each) => each.getAttribute('aria-selected') === 'true');
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      activate(options[(at + step + options.length) % options.length]);
    }
    // While an input method composes a word, these keys belong to it.
    if (event.isComposing) return;
    if (event.key === 'Enter') options[at]?.click();
    // Browsers would only empty the field.
    if (event.key === 'Escape') {
      event.preventDefault();
      box.close();
    }
  });
  // A card of this page is only another place in it.
  list.addEventListener('click', () => box.close());
  return () => {
    if (!box.open) box.showModal();
    input.select();
  };
}

async function suggestionsFor({ call }: Platform, query: string): Promise<Suggestion[]> {
  const reply = await call('GET', `/api/search/suggest?${new URLSearchParams({ q: `${query} ${TYPES}` })}`);
  return ((await reply.json()) as { items: Suggestion[] }).items;
}

function optionOf(found: Suggestion, index: number): HTMLAnchorElement {
  const { word, addressOf } = PAGES[found.type]!;
  return el(
    'a',
    { role: 'option', id: `search-result-${index}`, tabindex: '-1', href: addressOf(found) },
    el('span', { class: 'kind' }, word),
    el('span', { class: 'name' }, found.name),
    ...(found.parent ? [el('span', { class: 'place' }, `in ${found.parent.name}`)] : []),
  );
}

const textOf = ({ messageOf }: Platform, error: unknown): string =>
  (error as { status?: number }).status === 429 ? 'Too many searches. Wait a minute.' : messageOf(error);
