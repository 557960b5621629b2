import type { FilterCondition } from './filter-condition.ts';

/** More values are counted. */
const MAX_VALUES = 12;

/** A condition in words, such as `eu, us`, `last 30 days` or `from 10 to 20`. */
export function filterText({ op, values }: { op: string; values: FilterCondition['values'] }): string {
  const [first, second] = values.map(valueText);
  switch (op) {
    case 'ne':
    case 'not_in':
      return `not ${listText(values)}`;
    case 'gt':
      return `> ${first}`;
    case 'gte':
      return `≥ ${first}`;
    case 'lt':
      return `< ${first}`;
    case 'lte':
      return `≤ ${first}`;
    case 'between':
      return `from ${first} to ${second}`;
    case 'contains':
      return `contains “${first}”`;
    case 'not_contains':
      return `does not contain “${first}”`;
    case 'starts_with':
      return `begins with “${first}”`;
    case 'ends_with':
      return `ends with “${first}”`;
    case 'is_null':
      return 'no value';
    case 'not_null':
      return 'any value';
    case 'last_n':
      return `last ${periods(values)}`;
    case 'this':
      return `this ${grainText(first ?? '')}`;
    case 'prev':
      return `previous ${periods(values)}`;
    case 'in_period':
      return `${grainText(second ?? '')} of ${first}`;
    default:
      return listText(values);
  }
}

/** `fiscal_year` in words. */
const grainText = (grain: string): string => grain.replace('_', ' ');

/** `[30, "day"]` or `["month"]`. */
function periods([first, second]: FilterCondition['values']): string {
  if (second === undefined) return grainText(valueText(first ?? ''));
  return `${valueText(first!)} ${grainText(valueText(second))}${first === 1 ? '' : 's'}`;
}

function listText(values: FilterCondition['values']): string {
  const shown = values.slice(0, MAX_VALUES).map(valueText).join(', ');
  return values.length > MAX_VALUES ? `${shown} and ${values.length - MAX_VALUES} more` : shown;
}

const valueText = (value: FilterCondition['values'][number]): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
