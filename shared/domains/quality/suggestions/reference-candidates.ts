import type { Column } from '../../../data/duckdb/column-types.ts';
import type { Dataset } from '../../warehouse/datasets/index.ts';
import type { Reference } from './rules.ts';

/** Each costs a join with another dataset. */
const MAX_REFERENCES = 4;
const KEY_NAME = /^(.+?)_?(id|key|code|no)$/i;

/** Columns such as `customer_id` beside a dataset `customers` with a column `id` or `customer_id` of the same type. */
export function referenceCandidates(
  columns: readonly Column[],
  datasets: readonly Pick<Dataset, 'name' | 'columns'>[],
): Reference[] {
  const found = columns.flatMap((column) => {
    const subject = KEY_NAME.exec(column.name)?.[1]?.toLowerCase();
    const dataset = subject && datasets.find(({ name }) => isPluralOf(name.toLowerCase(), subject));
    const key = dataset ? keyFor(column, dataset.columns) : undefined;
    return dataset && key ? [{ columnName: column.name, refTable: dataset.name, refColumn: key.name }] : [];
  });
  return found.slice(0, MAX_REFERENCES);
}

const isPluralOf = (name: string, subject: string): boolean =>
  [subject, `${subject}s`, `${subject}es`, subject.replace(/y$/, 'ies')].includes(name);

/** The column of the same name, or the plain `id`, `key`, `code` or `no`. */
function keyFor({ name, type }: Column, columns: readonly Column[]): Column | undefined {
  const suffix = KEY_NAME.exec(name)![2]!;
  const wanted = [name, suffix].map((each) => each.toLowerCase());
  return columns.find((each) => each.type === type && wanted.includes(each.name.toLowerCase()));
}
