import type { Issue } from '../../../platform/errors/app-error.ts';
import { FISCAL_GRAINS } from '../../../platform/schedule/fiscal-years.ts';
import { GRAINS } from '../../../platform/schedule/periods.ts';
import { type DashboardBody, type FilterType, GRID_COLUMNS, MAX_JSON_TEXT, type Position } from './schemas.ts';

/** What is wrong with texts that must be JSON of at most 64 KiB. */
export function jsonTextIssues({ timezone: _timezone, ...body }: Partial<DashboardBody>): Issue[] {
  return Object.entries(body).flatMap(([member, text]): Issue[] => {
    if (typeof text !== 'string') return [];
    const pointer = `/${member}`;
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_JSON_TEXT)
      return [{ pointer, code: 'TOO_LARGE', message: `has ${bytes} bytes; at most 64 KiB are allowed` }];
    return parsed(text) === undefined ? [{ pointer, code: 'INVALID_JSON', message: 'must be JSON text' }] : [];
  });
}

/** Undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Path segments that stand in the same place as the id of a part. */
const RESERVED = ['batch', 'reorder', 'from-query', 'page', 'bookmarks', 'templates', 'feed'];

/** Issues of an id that a path could not name. */
export const partIdIssues = (id: string, pointer: string): Issue[] =>
  RESERVED.includes(id) ? [{ pointer, code: 'RESERVED', message: `"${id}" is reserved; choose another id` }] : [];

export function positionIssues({ x, w }: Position, pointer: string): Issue[] {
  if (x + w <= GRID_COLUMNS) return [];
  const message = `reaches column ${x + w}; the grid has ${GRID_COLUMNS} columns`;
  return [{ pointer: `${pointer}/w`, code: 'OUT_OF_GRID', message }];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
const isDate = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && !Number.isNaN(Date.parse(value)));
const isNumber = (value: unknown) => value === undefined || value === null || typeof value === 'number';
const hasOnly = (value: Record<string, unknown>, members: readonly string[]) =>
  Object.keys(value).every((member) => members.includes(member));

const UNITS: readonly string[] = [...GRAINS, ...FISCAL_GRAINS];
const RELATIVE = ['last_n', 'this', 'prev'];

/** The values that a filter may start with, and how to write them. */
const DEFAULTS: Readonly<Record<FilterType, { fits(value: unknown): boolean; expected: string }>> = {
  select: { fits: isScalar, expected: 'a text, a number, true or false' },
  multi_select: {
    fits: (value) => Array.isArray(value) && value.every(isScalar),
    expected: 'a list of texts, numbers, true or false',
  },
  date_range: {
    fits: (value) => isObject(value) && hasOnly(value, ['from', 'to']) && isDate(value.from) && isDate(value.to),
    expected: '{"from","to"} with dates such as "2026-01-31"',
  },
  relative_date: {
    fits: (value) =>
      isObject(value) &&
      hasOnly(value, ['op', 'n', 'unit']) &&
      RELATIVE.includes(value.op as string) &&
      UNITS.includes(value.unit as string) &&
      (value.op === 'last_n' ? Number.isInteger(value.n) && (value.n as number) > 0 : value.n === undefined),
    expected: '{"op":"last_n","n":30,"unit":"day"}, or "this" or "prev" with a unit and without "n"',
  },
  number_range: {
    fits: (value) => isObject(value) && hasOnly(value, ['min', 'max']) && isNumber(value.min) && isNumber(value.max),
    expected: '{"min","max"} with numbers',
  },
  text: { fits: (value) => typeof value === 'string', expected: 'a text in quotes' },
  boolean: { fits: (value) => typeof value === 'boolean', expected: 'true or false' },
};

interface CheckedFilter {
  filterType: FilterType;
  defaultValue: string | null;
  linkedCardIds: readonly string[];
}

/** What is wrong with a filter of a dashboard with these cards. */
export function filterIssues(
  { filterType, defaultValue, linkedCardIds }: CheckedFilter,
  cardIds: ReadonlySet<string>,
): Issue[] {
  const { fits, expected } = DEFAULTS[filterType];
  const value = defaultValue === null ? undefined : parsed(defaultValue);
  const isWrong = defaultValue !== null && (value === undefined || !fits(value));
  const message = `must be JSON text for a filter of type ${filterType}: ${expected}`;
  return [
    ...(isWrong ? [{ pointer: '/defaultValue', code: 'INVALID_VALUE', message }] : []),
    ...linkedCardIds.flatMap((id, index): Issue[] =>
      cardIds.has(id)
        ? []
        : [{ pointer: `/linkedCardIds/${index}`, code: 'UNKNOWN_CARD', message: `the dashboard has no card "${id}"` }],
    ),
  ];
}
