import type { Dialect } from '../../../../../shared/data/expressions/index.ts';
import { type SourceColumn, type Step, tableRelation } from '../../../../../shared/data/transforms/index.ts';

export interface TestTable {
  name: string;
  columns: readonly (SourceColumn & { sql?: Partial<Record<Dialect, string>> })[];
  /** Literals of SQL. */
  rows: readonly (readonly string[])[];
}

export type Config = [type: string, config: object];

export const stepsOf = (configs: readonly Config[]): Step[] =>
  configs.map(([type, config], index) => ({ id: `step-${index + 1}`, type, config, isEnabled: true }));

export interface Asked {
  conditions?: readonly string[];
  timezone?: string;
}

/** The relation of a table after steps; throws the problems of one that does not fit. */
export function relationOf(
  { name, columns }: Pick<TestTable, 'name' | 'columns'>,
  configs: readonly Config[],
  dialect: Dialect,
  { conditions = [], timezone = 'UTC' }: Asked = {},
) {
  const relation = tableRelation({
    table: { schema: '', name, columns },
    conditions,
    steps: stepsOf(configs),
    dialect,
    params: [],
    timezone,
    now: new Date('2026-02-15T12:00:00.000Z'),
  });
  if ('problems' in relation) throw new Error(JSON.stringify(relation.problems));
  return relation;
}
