/** How readers set a filter. */
export type FilterKind =
  | 'select'
  | 'multi_select'
  | 'date_range'
  | 'relative_date'
  | 'number_range'
  | 'text'
  | 'boolean';

type Scalar = string | number | boolean;

/** What a filter with a value requires of a field. */
export interface FilterCondition {
  op: string;
  values: Scalar[];
  ignoreCase?: boolean;
}

/** Undefined if no value is chosen, or the value has the wrong type. */
export function conditionOf(kind: FilterKind, value: unknown): FilterCondition | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  switch (kind) {
    case 'multi_select': {
      // Links of other dashboards choose a single value.
      const values = (Array.isArray(value) ? value : [value]).filter(isScalar);
      return values.length > 0 ? { op: 'in', values } : undefined;
    }
    case 'text':
      return typeof value === 'string' ? { op: 'contains', values: [value], ignoreCase: true } : undefined;
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

function rangeOf(from: unknown, to: unknown): FilterCondition | undefined {
  const [low, high] = [from, to].map((each) => (isScalar(each) && each !== '' ? each : undefined));
  if (low !== undefined && high !== undefined) return { op: 'between', values: [low, high] };
  if (low !== undefined) return { op: 'gte', values: [low] };
  return high === undefined ? undefined : { op: 'lte', values: [high] };
}

export const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
