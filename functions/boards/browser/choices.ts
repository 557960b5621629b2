import type { Access, ValuesPage } from './access.ts';
import { type Filter, isScalar } from './conditions.ts';
import { el, newName } from './dom.ts';

const LISTED_AT_ONCE = 100;
const PAUSE_MS = 250;
const NAMED_AT_MOST = 2;

interface Choices {
  element: HTMLElement;
  /** The chosen values. */
  read(): unknown[];
}

interface Shown {
  filter: Pick<Filter, 'label'>;
  chosen: readonly unknown[];
  /** Whether several values can be chosen. */
  isMany: boolean;
  readValues(page: ValuesPage): ReturnType<Access['readValues']>;
}

/**
 * A button that opens a list of values with a search: the chosen ones first, then pages of the others. Changes are
 * reported by `change` events of the list. Readers can also choose a text that they type, if no value is found.
 */
export function choicesOf({ filter, chosen: given, isMany, readValues }: Shown): Choices {
  const chosen = new Map(given.filter(isScalar).map((value) => [String(value), value as unknown]));
  const listed = new Map<string, unknown>();
  const name = newName('choice');
  const summary = el('summary', {});
  const search = el('input', { type: 'search', placeholder: 'Search', 'aria-label': `Search ${filter.label}` });
  const list = el('div', { class: 'values', role: 'group', 'aria-label': filter.label });
  const state = el('p', { class: 'state', role: 'status' });
  const more = el('button', { type: 'button', class: 'plain', hidden: true }, 'Show more');
  const clear = el('button', { type: 'button', class: 'plain' }, 'Clear');
  const panel = el('div', { class: 'panel' }, search, list, state, el('div', { class: 'ends' }, more, clear));
  const element = el('details', { class: 'choices' }, summary, panel);

  const describe = () => {
    const names = [...chosen.keys()];
    const text =
      names.length === 0 ? 'All' : names.length > NAMED_AT_MOST ? `${names.length} chosen` : names.join(', ');
    summary.textContent = text;
    summary.setAttribute('aria-label', `${filter.label}: ${text}`);
    clear.disabled = names.length === 0;
  };
  const option = (text: string, value: unknown) => {
    const input = el('input', { type: isMany ? 'checkbox' : 'radio', name });
    input.checked = chosen.has(text);
    input.addEventListener('change', () => {
      if (!isMany) chosen.clear();
      if (input.checked) chosen.set(text, value);
      else chosen.delete(text);
      describe();
    });
    return el('label', {}, input, el('span', {}, text === '' ? '(empty)' : text));
  };
  let atTop: ReadonlyMap<string, unknown> = new Map();
  const optionsOf = (values: Iterable<[string, unknown]>) =>
    [...values].filter(([text]) => !atTop.has(text)).map(([text, value]) => option(text, value));
  const show = (first: ReadonlyMap<string, unknown>) => {
    atTop = first;
    list.replaceChildren(...[...first].map(([text, value]) => option(text, value)), ...optionsOf(listed));
  };

  let asked = 0;
  const load = async (offset: number) => {
    asked += 1;
    const own = asked;
    const wanted = search.value.trim();
    state.textContent = 'Loading…';
    const page = { offset, limit: LISTED_AT_ONCE, ...(wanted !== '' && { search: wanted }) };
    // Without a card to read the values from, readers type them.
    const found = await readValues(page).catch(() => undefined);
    if (own !== asked) return;
    if (found && offset === 0) listed.clear();
    const values = new Map((found?.values ?? []).filter(isScalar).map((value) => [String(value), value as unknown]));
    for (const [text, value] of values) listed.set(text, value);
    more.hidden = !found?.truncated;
    state.textContent = stateOf(found, listed.size);
    if (offset === 0) show(wanted === '' ? new Map(chosen) : new Map());
    else list.append(...optionsOf(values));
  };

  let pause: ReturnType<typeof setTimeout> | undefined;
  search.addEventListener('input', () => {
    clearTimeout(pause);
    pause = setTimeout(() => void load(0), PAUSE_MS);
  });
  // The search itself chooses nothing.
  search.addEventListener('change', (event) => event.stopPropagation());
  search.addEventListener('keydown', (event) => {
    const text = search.value.trim();
    if (event.key !== 'Enter' || text === '' || listed.size > 0) return;
    event.preventDefault();
    if (!isMany) chosen.clear();
    chosen.set(text, text);
    search.value = '';
    describe();
    show(new Map(chosen));
    list.dispatchEvent(new Event('change', { bubbles: true }));
  });
  more.addEventListener('click', () => void load(listed.size));
  clear.addEventListener('click', () => {
    chosen.clear();
    describe();
    void load(0);
    list.dispatchEvent(new Event('change', { bubbles: true }));
  });
  element.addEventListener('toggle', () => {
    if (!element.open) return;
    search.value = '';
    search.focus();
    void load(0);
  });
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !element.open) return;
    event.stopPropagation();
    element.open = false;
    summary.focus();
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && !element.contains(target)) element.open = false;
  });
  describe();
  return { element, read: () => [...chosen.values()] };
}

function stateOf(found: object | undefined, count: number): string {
  if (!found) return 'The values cannot be listed. Type one and press Enter.';
  return count === 0 ? 'No values found' : '';
}
