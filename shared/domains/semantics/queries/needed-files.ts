import type { BoundValues } from '../../../data/sql/comparable-constant.ts';
import { readConditions } from '../../../data/sql/read-conditions.ts';
import type { CheckedSelect } from '../../../data/sql/select-check.ts';
import { filesForReadings } from '../../../data/tables/prune.ts';
import type { TableInput } from '../../engine/index.ts';

/** The tables that a statement reads, each with the files that can hold rows for it. */
export function neededFiles(
  { tables: read, root }: Pick<CheckedSelect, 'tables' | 'root'>,
  tables: readonly TableInput[],
  bound: BoundValues,
): TableInput[] {
  const needed = tables.filter(({ name }) => read.includes(name));
  const conditions = readConditions(root, needed, bound);
  return needed.map((table) => {
    const readings = conditions.get(table.name);
    return readings ? { ...table, files: filesForReadings(table, readings) } : table;
  });
}
