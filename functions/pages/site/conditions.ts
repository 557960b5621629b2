export interface Filter {
  id: string;
  type: 'select' | 'multi_select' | 'date_range' | 'relative_date' | 'number_range' | 'text' | 'boolean';
  label: string;
  fieldId: string;
  /** The cards that it applies to; empty for all. */
  linkedCardIds: string[];
  /** The default value. */
  value: unknown;
}

/** The condition of a filter, as sent with requests for card data. */
export interface CardFilter {
  filterId: string;
  op: string;
  values: (string | number | boolean)[];
}

/** The values that the reader has chosen, by filter id. */
export type Values = Record<string, unknown>;

export const conditionsOf = (filters: readonly Filter[], values: Values): CardFilter[] =>
  filters.flatMap(({ id, type }) => {
    const found = conditionOf(type, values[id]);
    return found ? [{ filterId: id, ...found }] : [];
  });

/** Undefined if no value is chosen, or the value in the address has the wrong type. */
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

export const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);
export const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
