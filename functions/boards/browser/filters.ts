import type { Access } from './access.ts';
import { choicesOf } from './choices.ts';
import { type Filter, isRecord, isScalar, type Values } from './conditions.ts';
import { el, newName } from './dom.ts';

type Control = { element: HTMLElement; read(): unknown };

const PERIODS = [
  ['', 'Any time'],
  ['{"op":"last_n","n":7,"unit":"day"}', 'Last 7 days'],
  ['{"op":"last_n","n":30,"unit":"day"}', 'Last 30 days'],
  ['{"op":"last_n","n":12,"unit":"month"}', 'Last 12 months'],
  ['{"op":"this","unit":"month"}', 'This month'],
  ['{"op":"prev","unit":"month"}', 'Previous month'],
  ['{"op":"this","unit":"year"}', 'This year'],
  ['{"op":"prev","unit":"year"}', 'Previous year'],
] as const;

/** The filter values are in the address, so that readers can share them. Without them, the default values apply. */
export function valuesOf(filters: readonly Filter[]): Values {
  const given = parsed(new URLSearchParams(location.search).get('filters'));
  return Object.fromEntries(
    filters.map(({ id, value }) => [id, isRecord(given) && Object.hasOwn(given, id) ? given[id] : value]),
  );
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

interface ShownFilters {
  access: Access;
  filters: readonly Filter[];
  values: Values;
  /** Shows the board with the filters of another address. */
  open(address: string): void;
}

/** Fills the filter bar with controls, and reports changes. */
export function showFilters(
  form: HTMLFormElement,
  { access, filters, values, open }: ShownFilters,
  onChange: (values: Values) => void,
): void {
  const controls = new Map<string, Control>();
  for (const filter of filters) {
    const id = newName('filter');
    const control = controlOf(filter, values[filter.id], { id, access });
    const label = labelOf(filter, control, id);
    controls.set(filter.id, control);
    form.append(el('div', { class: 'filter' }, label, control.element));
  }
  const reset = el('button', { type: 'button', class: 'plain' }, 'Reset');
  reset.addEventListener('click', () => open(addressWith(undefined)));
  form.append(reset);
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('change', () => {
    const chosen = Object.fromEntries([...controls].map(([id, control]) => [id, control.read()]));
    history.replaceState(null, '', addressWith(chosen));
    keepInTabs();
    onChange(chosen);
  });
  keepInTabs();
}

function labelOf({ label }: Filter, { element }: Control, id: string): HTMLElement | '' {
  if (element.tagName === 'FIELDSET') return '';
  return element.tagName === 'DETAILS' ? el('span', { class: 'name' }, label) : el('label', { for: id }, label);
}

function addressWith(values: Values | undefined): string {
  const address = new URL(location.href);
  if (values) address.searchParams.set('filters', JSON.stringify(values));
  else address.searchParams.delete('filters');
  return address.href;
}

/** Opens other pages of the dashboard with the same filter values. */
function keepInTabs(): void {
  const chosen = new URLSearchParams(location.search).get('filters');
  for (const tab of document.querySelectorAll<HTMLAnchorElement>('.tabs a')) {
    const address = new URL(tab.href);
    if (chosen) address.searchParams.set('filters', chosen);
    tab.href = address.href;
  }
}

function controlOf(filter: Filter, value: unknown, { id, access }: { id: string; access: Access }): Control {
  const { type, label } = filter;
  switch (type) {
    case 'boolean':
      return choice(
        id,
        ['', 'true', 'false'].map((each) => [each, each === '' ? 'All' : each === 'true' ? 'Yes' : 'No']),
        {
          chosen: value === true || value === false ? String(value) : '',
          read: (text) => (text === '' ? null : text === 'true'),
        },
      );
    case 'relative_date': {
      const chosen = value ? JSON.stringify(value) : '';
      const isListed = PERIODS.some(([each]) => each === chosen);
      const periods = isListed ? PERIODS : [...PERIODS, [chosen, 'Custom period'] as const];
      return choice(id, periods, { chosen, read: (text) => parsed(text || 'null') });
    }
    case 'date_range':
      return range(label, 'date', ['from', 'to'], isRecord(value) ? value : {});
    case 'number_range':
      return range(label, 'number', ['min', 'max'], isRecord(value) ? value : {});
    case 'text': {
      const input = el('input', { id, type: 'search', value: typeof value === 'string' ? value : '' });
      return { element: input, read: () => input.value || null };
    }
    default:
      return listed({ id, access, filter }, value);
  }
}

function choice(
  id: string,
  options: readonly (readonly [string, string])[] | readonly string[][],
  { chosen, read }: { chosen: string; read(text: string): unknown },
): Control {
  const select = el('select', { id });
  for (const [value = '', text = ''] of options) select.append(new Option(text, value, false, value === chosen));
  return { element: select, read: () => read(select.value) };
}

function range(label: string, type: 'date' | 'number', names: [string, string], value: Values): Control {
  const inputs = names.map((name, at) =>
    el('input', {
      type,
      'aria-label': at === 0 ? 'From' : 'To',
      ...(type === 'number' && { step: 'any' }),
      value: isScalar(value[name]) ? String(value[name]) : '',
    }),
  );
  const read = () => {
    const [low, high] = inputs.map((input) =>
      input.value === '' ? null : type === 'number' ? Number(input.value) : input.value,
    );
    return low === null && high === null ? null : { [names[0]]: low, [names[1]]: high };
  };
  return { element: el('fieldset', {}, el('legend', {}, label), inputs[0]!, '–', inputs[1]!), read };
}

const MAX_LISTED = 500;

/** A list of the values that the reader may see: for one value, a menu if it is short. */
function listed({ id, access, filter }: { id: string; access: Access; filter: Filter }, value: unknown): Control {
  const isMany = filter.type === 'multi_select';
  const chosen = (isMany ? (Array.isArray(value) ? value : []) : [value]).filter(isScalar);
  const choices = () => choicesOf({ filter, chosen, isMany, readValues: (page) => access.readValues(filter, page) });
  if (isMany) {
    const { element, read } = choices();
    return { element, read };
  }
  const known = new Map<string, unknown>(chosen.map((each) => [String(each), each]));
  const select = el('select', { id });
  const fill = () => {
    const { value: picked } = select;
    select.replaceChildren(new Option('All', ''));
    for (const text of known.keys()) select.append(new Option(text, text, false, text === picked));
  };
  for (const text of known.keys()) select.append(new Option(text, text, true, true));
  const place = el('div', {}, select);
  let reads = (): unknown => known.get(select.value) ?? null;
  void access
    .readValues(filter, { limit: MAX_LISTED })
    .then(({ values, truncated }) => {
      if (truncated || values.length === 0) throw new Error('A menu of all values would be too long.');
      for (const each of values) if (isScalar(each)) known.set(String(each), each);
      fill();
    })
    .catch(() => {
      const { element, read } = choices();
      place.replaceChildren(element);
      reads = () => read()[0] ?? null;
    });
  fill();
  return { element: place, read: () => reads() };
}
