import { EMPTY } from '../../../data/charts/chart-columns.ts';
import { nameText } from '../../../data/charts/show-value.ts';
import type { PivotAnswer } from '../../semantics/questions/index.ts';
import type { ChartDataColumn } from './chart-reading.ts';
import type { ChartQuery } from './chart-spec.ts';

const TOTAL = 'Total';

/**
 * The columns of a pivoted answer. Each has a name of its own, which says its group and, if the answer has several
 * measures, the measure: `Jan 2026 · Revenue`.
 */
export function pivotColumns({ columns, pivot }: PivotAnswer, { dimensions = [] }: ChartQuery): ChartDataColumn[] {
  const measures = new Set(columns.flatMap(({ role, name }) => (role === 'measure' ? [name] : [])));
  const taken = new Set<string>();
  return columns.map(({ group, isTotal, ...column }): ChartDataColumn => {
    if (column.role === 'dimension') {
      taken.add(column.name);
      const width = dimensions.find((each) => (each.fieldId ?? each.column) === column.fieldId && each.bin)?.bin?.width;
      return width === undefined ? column : { ...column, binWidth: width };
    }
    const label = isTotal
      ? TOTAL
      : (group ?? []).map((value, at) => nameText(pivot.columns[at]!, value) || EMPTY).join(' / ');
    const wanted = measures.size === 1 ? label : `${label} · ${column.name}`;
    const name = unusedName(wanted, taken);
    taken.add(name);
    return { ...column, name, pivot: { measure: column.name, label, group: isTotal ? null : (group ?? []) } };
  });
}

/** Groups that look alike, such as a missing value and the text `(empty)`, are counted. */
function unusedName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted} (${count})`;
  return name;
}
