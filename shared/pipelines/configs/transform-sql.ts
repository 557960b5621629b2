import Type, { type Static } from 'typebox';
import type { Fault } from '../../errors/app-error.ts';
import { Closed } from '../../http/schemas.ts';
import { areOps, opFaults } from '../../recipe/compile.ts';
import { MOST_OPS, type Op } from '../../recipe/ops.ts';
import { shapeFaults } from '../shape-faults.ts';
import { Sql, timeoutSeconds } from './members.ts';

const Alias = '^[A-Za-z_][A-Za-z0-9_]{0,62}$';

const members = {
  inputs: Type.Optional(Type.Record(Type.String({ pattern: Alias }), Type.String())),
  timeoutSeconds,
};
const WithSql = Closed({ ...members, sql: Sql });
const WithOps = Closed({ ...members, ops: Type.Array(Type.Object({}), { minItems: 1, maxItems: MOST_OPS }) });
const Either = Type.Object({ sql: Sql });

export type TransformSqlConfig = Static<typeof WithSql> | (Omit<Static<typeof WithOps>, 'ops'> & { ops: Op[] });

/** Every fault of the settings: either a statement or the operations of a recipe. */
export function transformSqlFaults(config: Record<string, unknown>, at: string): Fault[] {
  const { sql, ops } = config;
  if (sql !== undefined && ops !== undefined) {
    return [{ pointer: `${at}/ops`, code: 'NOT_ALLOWED', message: 'is not for steps that have sql' }];
  }
  if (ops === undefined) return shapeFaults(sql === undefined ? Either : WithSql, config, at);
  const faults = shapeFaults(WithOps, config, at);
  return Array.isArray(ops) ? [...faults, ...opFaults(ops.slice(0, MOST_OPS), `${at}/ops`)] : faults;
}

/** The operations of a recipe step, undefined for one that has a statement or whose operations are not sound. */
export function recipeOf(config: Record<string, unknown>): Op[] | undefined {
  return Array.isArray(config.ops) && areOps(config.ops) ? config.ops : undefined;
}
