import { isRecord, isScalar } from './conditions.ts';
import { el, newName } from './dom.ts';

/** A parameter of a report, as its readers choose its value. */
export interface Parameter {
  name: string;
  label?: string;
  type: 'text' | 'number' | 'boolean' | 'date';
  isList?: boolean;
  isRequired?: boolean;
  default?: unknown;
}

export type Given = { name: string; value: unknown };

export interface Chosen {
  /** The values that differ from the defaults, as requests send them. */
  given(): Given[];
  /** The labels of the required ones of these parameters that have no value. */
  missing(names: readonly string[]): string[];
}

interface Control {
  element: HTMLElement;
  /** Undefined for a text that is no value; the browser then says why. */
  read(): unknown;
}

const PARAMETER = 'parameters';

/** Shows the parameters above the cards. Their values are in the address, so that readers can share them. */
export function showParameters(parameters: readonly Parameter[], onChange: () => void): Chosen {
  const values = new Map(valuesOf(parameters));
  const form = el('form', { class: 'parameters', 'aria-label': 'Parameters', novalidate: true });
  const controls = new Map(parameters.map((each) => [each.name, controlOf(each, values.get(each.name))]));
  for (const parameter of parameters) form.append(fieldOf(parameter, controls.get(parameter.name)!));
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('change', () => {
    const read = [...controls].map(([name, control]) => [name, control.read()] as const);
    if (read.some(([, value]) => value === undefined)) return void form.reportValidity();
    for (const [name, value] of read) values.set(name, value);
    history.replaceState(null, '', addressWith(Object.fromEntries(values)));
    keepInTabs();
    onChange();
  });
  const place = document.querySelector('main form.filters, main .grid');
  if (parameters.length > 0) place?.before(form);
  if (parameters.length > 0) keepInTabs();
  return {
    given: () =>
      parameters
        .filter((each) => JSON.stringify(values.get(each.name)) !== JSON.stringify(each.default ?? null))
        .map(({ name }) => ({ name, value: values.get(name) })),
    missing: (names) =>
      parameters
        .filter(({ name, isRequired }) => isRequired && names.includes(name) && isEmpty(values.get(name)))
        .map(labelOf),
  };
}

const labelOf = ({ label, name }: Parameter): string => label || name;
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** Those of the address; its values that do not fit a parameter are ignored. */
function valuesOf(parameters: readonly Parameter[]): [string, unknown][] {
  const given = parsed(new URLSearchParams(location.search).get(PARAMETER));
  return parameters.map((each) => {
    const value = isRecord(given) && Object.hasOwn(given, each.name) ? given[each.name] : undefined;
    return [each.name, value !== undefined && fits(each, value) ? value : (each.default ?? null)];
  });
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

function fits({ type, isList }: Parameter, value: unknown): boolean {
  if (value === null) return true;
  const values = isList ? value : [value];
  return Array.isArray(values) && values.every((each) => isScalar(each) && isOf(type, each));
}

function isOf(type: Parameter['type'], value: string | number | boolean): boolean {
  if (type === 'date') return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  return typeof value === (type === 'text' ? 'string' : type);
}

function addressWith(values: Record<string, unknown>): string {
  const address = new URL(location.href);
  address.searchParams.set(PARAMETER, JSON.stringify(values));
  return address.href;
}

/** Opens other pages of the report with the same values. */
function keepInTabs(): void {
  const chosen = new URLSearchParams(location.search).get(PARAMETER);
  if (!chosen) return;
  for (const tab of document.querySelectorAll<HTMLAnchorElement>('.tabs a')) {
    const address = new URL(tab.href);
    address.searchParams.set(PARAMETER, chosen);
    tab.href = address.href;
  }
}

function fieldOf(parameter: Parameter, { element }: Control): HTMLElement {
  const id = newName('parameter');
  element.id = id;
  const mark = parameter.isRequired ? [el('span', { class: 'needed' }, ' (required)')] : [];
  return el('div', { class: 'filter' }, el('label', { for: id }, labelOf(parameter), ...mark), element);
}

function controlOf(parameter: Parameter, value: unknown): Control {
  const { type, isList, isRequired } = parameter;
  if (type === 'boolean' && !isList) return booleanControl(value);
  const kind = isList ? 'text' : { text: 'text', number: 'number', date: 'date', boolean: 'text' }[type];
  const texts = (Array.isArray(value) ? value : [value]).filter(isScalar).map(String);
  const input = el('input', {
    type: kind,
    required: isRequired === true,
    value: texts.join(', '),
    ...(kind === 'number' && { step: 'any' }),
    ...(isList && { placeholder: `${PLURALS[type]}, separated by commas` }),
    ...(kind === 'text' && { maxlength: '1000' }),
  });
  const read = () => {
    input.setCustomValidity('');
    if (input.validity.badInput) return undefined;
    if (!isList) return input.value === '' ? null : typedValue(type, input.value);
    const items = input.value.split(',').map((each) => each.trim());
    const list = items.filter(Boolean).map((each) => typedValue(type, each));
    if (list.includes(undefined)) input.setCustomValidity(`Enter ${PLURALS[type].toLowerCase()}, separated by commas.`);
    return list.includes(undefined) ? undefined : list;
  };
  return { element: input, read };
}

const PLURALS = {
  text: 'Values',
  number: 'Numbers',
  date: 'Dates such as 2026-01-31',
  boolean: 'true or false',
} as const;

function booleanControl(value: unknown): Control {
  const select = el('select');
  for (const [each, text] of [
    ['', 'All'],
    ['true', 'Yes'],
    ['false', 'No'],
  ] as const)
    select.append(new Option(text, each, false, each === (value === null ? '' : String(value))));
  return { element: select, read: () => (select.value === '' ? null : select.value === 'true') };
}

function typedValue(type: Parameter['type'], text: string): unknown {
  if (type === 'number') return Number.isFinite(Number(text)) ? Number(text) : undefined;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (type === 'date') return isOf('date', text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
  return text;
}
