import type { Static } from 'typebox';
import * as Type from 'typebox';
import { areOps, opIssues } from '../../../../data/recipe/compile.ts';
import { MAX_OPS, type Op } from '../../../../data/recipe/ops.ts';
import type { Issue } from '../../../../platform/errors/app-error.ts';
import { StrictObject, StringEnum } from '../../../../platform/http/schemas.ts';
import { shapeIssues } from '../../../../platform/validation/shape-issues.ts';
import { gates, Sql, timeoutSeconds } from './members.ts';

const Alias = '^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,62}$';

export const MATERIALIZE = ['auto', 'always', 'never'] as const;
export type Materialize = (typeof MATERIALIZE)[number];

const members = {
  inputs: Type.Optional(
    Type.Record(Type.String({ pattern: Alias }), Type.String({ maxLength: 200 }), {
      maxProperties: 100,
      additionalProperties: false,
      description:
        'Ids of steps, by the names under which their rows are read. Omit it to use the ids, with `_` for `-`.',
    }),
  ),
  materialize: Type.Optional(
    StringEnum(MATERIALIZE, {
      default: 'auto',
      description:
        'Whether the rows are stored. With `auto`, rows that only the next step reads are passed on to it instead, where that is cheaper.',
    }),
  ),
  gates,
  timeoutSeconds,
};
const WithSql = StrictObject(
  { ...members, sql: Sql },
  { $id: 'SqlConfig', description: 'Transforms rows with a statement in DuckDB SQL.' },
);
const WithOps = StrictObject(
  {
    ...members,
    ops: Type.Array(Type.Object({}, { $id: 'StepOperation' }), { minItems: 1, maxItems: MAX_OPS }),
  },
  { $id: 'RecipeConfig', description: 'Transforms rows with a recipe: operations, one after the other.' },
);
/** The settings of a `transform_sql` step: a statement or a recipe. */
export const TRANSFORM_SQL_CONFIGS = [WithSql, WithOps] as const;
const Either = Type.Object({ sql: Sql });

export type TransformSqlConfig = Static<typeof WithSql> | (Omit<Static<typeof WithOps>, 'ops'> & { ops: Op[] });

/** Every issue of the settings, which hold either a statement or the operations of a recipe. */
export function transformSqlIssues(config: Record<string, unknown>, at: string): Issue[] {
  const { sql, ops } = config;
  if (sql !== undefined && ops !== undefined) {
    return [{ pointer: `${at}/ops`, code: 'NOT_ALLOWED', message: 'cannot be combined with sql; remove one' }];
  }
  if (ops === undefined) return shapeIssues(sql === undefined ? Either : WithSql, config, at);
  const issues = shapeIssues(WithOps, config, at);
  return Array.isArray(ops) ? [...issues, ...operationIssues(ops.slice(0, MAX_OPS), `${at}/ops`)] : issues;
}

function operationIssues(ops: readonly unknown[], at: string): Issue[] {
  const all = placed(ops, at);
  if (all.length > MAX_OPS) {
    const message = `The recipe has ${all.length} operations with its flowlets expanded; at most ${MAX_OPS} are allowed.`;
    return [{ pointer: at, code: 'MAX_ITEMS', message }];
  }
  return all.flatMap(({ op, place }) =>
    opIssues([op], '').map((issue) => ({ ...issue, pointer: place + issue.pointer.slice(2) })),
  );
}

/**
 * A flowlet among the operations of a step, as saved: with its version and expansion, so that the step keeps working
 * when the flowlet is retired. Saving the pipeline computes `ops`; values from the client are replaced.
 */
export interface FlowletUse extends Record<string, unknown> {
  op: 'flowlet';
  flowletId: string;
  version: number;
  params?: Record<string, unknown>;
  columnMap?: Record<string, string>;
  ops: Op[];
}

export function isFlowletUse(op: unknown): op is FlowletUse {
  return (op as FlowletUse | null)?.op === 'flowlet' && Array.isArray((op as FlowletUse).ops);
}

/** Operations with their pointers; the operations of a flowlet replace it. */
function placed(ops: readonly unknown[], at: string): { op: unknown; place: string }[] {
  return ops.flatMap((op, index) =>
    isFlowletUse(op) ? placed(op.ops, `${at}/${index}/ops`) : [{ op, place: `${at}/${index}` }],
  );
}

/** The plain operations of a recipe step; undefined for a step with a statement or with invalid operations. */
export function recipeOf(config: Record<string, unknown>): Op[] | undefined {
  if (!Array.isArray(config.ops)) return undefined;
  const ops = placed(config.ops, '').map(({ op }) => op);
  return areOps(ops) ? ops : undefined;
}

/** The valid operations of a recipe step with their pointers, below the settings at `at`. */
export function validOps(config: Record<string, unknown>, at: string): { op: Op; place: string }[] {
  if (!Array.isArray(config.ops)) return [];
  return placed(config.ops, `${at}/ops`).flatMap(({ op, place }) => {
    const ops = [op];
    return areOps(ops) ? [{ op: ops[0]!, place }] : [];
  });
}

/** Moves issues of operations numbered by `recipeOf` (`<at>/ops/<n>/…`) to where the operations are in the settings. */
export function relocateIssues(issues: readonly Issue[], config: Record<string, unknown>, at: string): Issue[] {
  const places = placed(config.ops as unknown[], `${at}/ops`).map(({ place }) => place);
  return issues.map((issue) => {
    const [, index, member] = /^\/(\d+)(.*)$/s.exec(issue.pointer.slice(`${at}/ops`.length)) ?? [];
    return index === undefined ? issue : { ...issue, pointer: `${places[Number(index)]}${member}` };
  });
}
