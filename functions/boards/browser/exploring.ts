import { isRecord, isScalar } from './conditions.ts';

export type RowValues = Record<string, string | number | boolean | null>;

/** The row that the reader has selected in a card. It filters the other cards. */
export interface Selection {
  cardId: string;
  values: RowValues;
}

export interface DrillStep {
  to: 'nextLevel' | 'grain' | 'rows';
  values: RowValues;
  grain?: string;
  dimension?: string;
}

/**
 * What the reader has chosen by clicking. It is in the address, so that links, bookmarks and the back button keep it.
 */
export interface Exploring {
  selection: Selection | undefined;
  /** The steps into the details of each card. */
  drill: Record<string, DrillStep[]>;
}

export function exploringOf(search: string): Exploring {
  const query = new URLSearchParams(search);
  const [selection, drill] = ['selection', 'drill'].map((name) => parsed(query.get(name)));
  return {
    selection: isSelection(selection) ? selection : undefined,
    drill: isRecord(drill)
      ? (Object.fromEntries(Object.entries(drill).filter(([, each]) => areSteps(each))) as never)
      : {},
  };
}

/** The address of the page with these choices. */
export function addressWith(address: string, { selection, drill }: Exploring): string {
  const url = new URL(address);
  const steps = Object.fromEntries(Object.entries(drill).filter(([, each]) => each.length > 0));
  set(url, 'selection', selection);
  set(url, 'drill', Object.keys(steps).length > 0 ? steps : undefined);
  return url.href;
}

function set(url: URL, name: string, value: unknown): void {
  if (value === undefined) url.searchParams.delete(name);
  else url.searchParams.set(name, JSON.stringify(value));
}

/** `North` of `{"Region":"North"}`. */
export const nameOfRow = (values: RowValues): string =>
  Object.values(values)
    .map((value) => (value === null ? '(empty)' : String(value)))
    .join(', ');

const isSelection = (value: unknown): value is Selection =>
  isRecord(value) && typeof value.cardId === 'string' && areValues(value.values);

const areSteps = (value: unknown): value is DrillStep[] =>
  Array.isArray(value) &&
  value.every((step) => isRecord(step) && typeof step.to === 'string' && areValues(step.values));

const areValues = (value: unknown): value is RowValues =>
  isRecord(value) && Object.values(value).every((each) => each === null || isScalar(each));

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
