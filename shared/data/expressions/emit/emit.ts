import { plannedOf } from '../check/traits.ts';
import type { Diagnostic } from '../language/diagnostics.ts';
import type { Typed, TypedCall } from '../language/typed.ts';
import { Emitter } from './emitter.ts';
import { NotExpressible } from './not-expressible.ts';
import type { EmitOptions, SqlParameter } from './options.ts';

export type Emission =
  | {
      kind: 'sql';
      sql: string;
      /** All parameters of the statement so far, with those of the expression. */
      params: SqlParameter[];
      /** Attributes that a policy reads and the caller does not have: the policy is not met. */
      missingAttributes: string[];
    }
  /** The calls depend on other rows of the result: a planner computes them and gives their columns as `replaced`. */
  | { kind: 'needsPlan'; calls: TypedCall[] }
  | { kind: 'rejected'; diagnostic: Diagnostic };

/**
 * Writes an expression as SQL. Names are quoted, constants of the author are literals, values of the user are bound.
 * The same tree and options give the same text, byte for byte.
 */
export function emit(tree: Typed, options: EmitOptions): Emission {
  return emission(tree, options, (emitter) => emitter.sql(tree).text);
}

/** Writes an expression as a term of ORDER BY: nulls last in both directions unless given, texts by code points. */
export function emitOrder(
  tree: Typed,
  direction: 'asc' | 'desc',
  options: EmitOptions,
  nulls: 'first' | 'last' = 'last',
): Emission {
  const suffix = `${direction.toUpperCase()} NULLS ${nulls.toUpperCase()}`;
  return emission(tree, options, (emitter) => `${emitter.ordered(tree)} ${suffix}`);
}

function emission(tree: Typed, options: EmitOptions, write: (emitter: Emitter) => string): Emission {
  const calls = plannedOf(tree).filter((call) => !options.replaced?.has(call));
  if (calls.length > 0) return { kind: 'needsPlan', calls };
  const emitter = new Emitter(options);
  try {
    return { kind: 'sql', sql: write(emitter), params: emitter.params, missingAttributes: [...emitter.user.missing] };
  } catch (error) {
    if (!(error instanceof NotExpressible)) throw error;
    const { from, to } = error.node;
    return { kind: 'rejected', diagnostic: { code: 6001, severity: 'error', message: error.message, from, to } };
  }
}
