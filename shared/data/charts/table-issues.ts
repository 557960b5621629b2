import type { Issue } from '../../platform/errors/app-error.ts';
import { type ChartColumn, kindOf } from './chart-columns.ts';
import type { Mark } from './chart-look.ts';

/** What is wrong with the rules and links of the columns of a table, whose names are checked elsewhere. */
export function tableIssues({ columns: shown = [] }: Mark, columns: readonly ChartColumn[], at: string): Issue[] {
  return shown.flatMap(({ field, rules = [], colors, showColor }, index) => {
    const column = columns.find(({ name }) => name === field);
    const pointer = `${at}/mark/columns/${index}`;
    const unused: Issue[] =
      colors && !showColor
        ? [{ pointer: `${pointer}/colors`, code: 'CONFLICT', message: 'has no effect without `showColor`' }]
        : [];
    const unfit = rules.flatMap(({ op, value, color, icon }, place): Issue[] => [
      ...(column && kindOf(column) === 'number' && typeof value !== 'number' && op !== 'contains'
        ? [{ pointer: `${pointer}/rules/${place}/value`, code: 'TYPE', message: 'must be a number, like the column' }]
        : []),
      ...(column && kindOf(column) !== 'number' && typeof value === 'number'
        ? [{ pointer: `${pointer}/rules/${place}/value`, code: 'TYPE', message: 'must be a text, unlike a number' }]
        : []),
      ...(color === undefined && icon === undefined
        ? [{ pointer: `${pointer}/rules/${place}`, code: 'REQUIRED', message: 'needs `color` or `icon`' }]
        : []),
    ]);
    return [...unused, ...unfit];
  });
}
