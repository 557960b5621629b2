import { call } from './api.ts';
import { el, newName } from './dom.ts';

export interface Filter {
  id: string;
  type: 'select' | 'multi_select' | 'date_range' | 'relative_date' | 'number_range' | 'text' | 'boolean';
  label: string;
  /** The default value. */
  value: unknown;
}

/** The condition of a filter, as cards are read with it. */
export interface CardFilter {
  filterId: string;
  op: string;
  values: (string | number | boolean)[];
}

type Values = Record<string, unknown>;
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

/** What the reader has chosen is in the address, so that it can be shared; otherwise the default values hold. */
export function valuesOf(filters: readonly Filter[]): Values {
  const given = parsed(new URLSearchParams(location.search).get('filters'));
  return Object.fromEntries(
    filters.map(({ id, value }) => [id, isRecord(given) && Object.hasOwn(given, id) ? given[id] : value]),
  );
}

export const conditionsOf = (filters: readonly Filter[], values: Values): CardFilter[] =>
  filters.flatMap(({ id, type }) => {
    const found = conditionOf(type, values[id]);
    return found ? [{ filterId: id, ...found }] : [];
  });

/** Undefined where nothing is chosen, or the address has a value of another type. */
export function conditionOf(type: Filter['type'], value: unknown): Omit<CardFilter, 'filterId'> | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  switch (type) {
    case 'multi_select': {
      const values = Array.isArray(value) ? value.filter(isScalar) : [];
      return values.length > 0 ? { op: 'in', values } : undefined;
    }
    case 'text':
      return typeof value === 'string' ? { op: 'contains', values: [value] } : undefined;
    case 'date_range':
      return isRecord(value) ? rangeOf(value.from, value.to) : undefined;
    case 'number_range':
      return isRecord(value) ? rangeOf(value.min, value.max) : undefined;
    case 'relative_date': {
      if (!isRecord(value) || typeof value.op !== 'string' || typeof value.unit !== 'string') return undefined;
      return { op: value.op, values: typeof value.n === 'number' ? [value.n, value.unit] : [value.unit] };
    }
    default:
      return isScalar(value) ? { op: 'eq', values: [value] } : undefined;
  }
}

function rangeOf(from: unknown, to: unknown): Omit<CardFilter, 'filterId'> | undefined {
  const [low, high] = [from, to].map((each) => (isScalar(each) && each !== '' ? each : undefined));
  if (low !== undefined && high !== undefined) return { op: 'between', values: [low, high] };
  if (low !== undefined) return { op: 'gte', values: [low] };
  return high === undefined ? undefined : { op: 'lte', values: [high] };
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);
const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** Fills the bar with controls, and reports changes. */
export function showFilters(
  form: HTMLFormElement,
  { dashboardId, filters, values }: { dashboardId: string; filters: readonly Filter[]; values: Values },
  onChange: (values: Values) => void,
): void {
  const controls = new Map<string, Control>();
  for (const filter of filters) {
    const id = newName('filter');
    const control = controlOf(filter, values[filter.id], { id, dashboardId });
    const isGroup = control.element.tagName === 'FIELDSET';
    const label = isGroup ? '' : el('label', { for: id }, filter.label);
    controls.set(filter.id, control);
    form.append(el('div', { class: 'filter' }, label, control.element));
  }
  const reset = el('button', { type: 'button', class: 'plain' }, 'Reset');
  reset.addEventListener('click', () => location.assign(addressWith(undefined)));
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

function addressWith(values: Values | undefined): string {
  const address = new URL(location.href);
  if (values) address.searchParams.set('filters', JSON.stringify(values));
  else address.searchParams.delete('filters');
  return address.href;
}

/** Other pages of the dashboard open with the same choice. */
function keepInTabs(): void {
  const chosen = new URLSearchParams(location.search).get('filters');
  for (const tab of document.querySelectorAll<HTMLAnchorElement>('.tabs a')) {
    const address = new URL(tab.href);
    if (chosen) address.searchParams.set('filters', chosen);
    tab.href = address.href;
  }
}

function controlOf(
  { id: filterId, type, label }: Filter,
  value: unknown,
  { id, dashboardId }: { id: string; dashboardId: string },
): Control {
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
      const periods = isListed ? PERIODS : [...PERIODS, [chosen, 'As given'] as const];
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
      return listed({ id, dashboardId, filterId, isMany: type === 'multi_select' }, value);
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

/** The values that the reader may see, read when the list opens. */
function listed(
  { id, dashboardId, filterId, isMany }: { id: string; dashboardId: string; filterId: string; isMany: boolean },
  value: unknown,
): Control {
  const known = new Map<string, unknown>();
  const chosen = (isMany ? (Array.isArray(value) ? value : []) : [value]).filter(isScalar);
  for (const each of chosen) known.set(String(each), each);
  const select = el('select', { id, multiple: isMany, ...(isMany && { size: '1' }) });
  const fill = () => {
    const picked = new Set([...select.selectedOptions].map((option) => option.value));
    select.replaceChildren(...(isMany ? [] : [new Option('All', '')]));
    for (const text of known.keys()) select.append(new Option(text, text, false, picked.has(text)));
  };
  for (const text of known.keys()) select.append(new Option(text, text, true, true));
  const input = el('input', { id, type: 'search', placeholder: isMany ? 'Values, separated by commas' : 'Any' });
  input.value = chosen.join(', ');
  const place = el('div', {}, select);
  const typed = () =>
    isMany
      ? input.value
          .split(',')
          .map((each) => each.trim())
          .filter(Boolean)
      : input.value || null;
  let reads = () =>
    isMany ? [...select.selectedOptions].map((option) => known.get(option.value)) : (known.get(select.value) ?? null);

  void call('POST', `/api/dashboards/${dashboardId}/filters/${filterId}/values`, {})
    .then(async (reply) => {
      const { values } = (await reply.json()) as { values: unknown[] };
      for (const each of values) if (isScalar(each)) known.set(String(each), each);
      fill();
      if (isMany) select.size = Math.min(4, Math.max(2, known.size));
    })
    .catch(() => {
      // The values cannot be listed: they can still be typed.
      place.replaceChildren(input);
      reads = typed;
    });
  fill();
  return { element: place, read: () => reads() };
}
