import type { DiagnosticCode, Diagnostics, Span } from '../language/diagnostics.ts';
import type { Level, Typed } from '../language/typed.ts';
import type { Names } from './scope.ts';

/** What kind of expression is checked. */
export type Purpose =
  /** Aggregates fields, such as SUM([orders.amount]). */
  | 'measure'
  /** Is computed for one row: a calculated field, or a condition of a transform. */
  | 'row'
  /** A condition of row-level security: a `row` expression that may refer to the user. */
  | 'policy';

export const MAX_REFERENCE_DEPTH = 10;

/** The result for the body of a measure or calculated field. */
export type Body =
  | { typed: Typed; depth: number }
  /** `failedAt` is the depth at which a body was too deep. */
  | { code: DiagnosticCode; message: string; failedAt?: number };

/** What the check of one text and of the texts that it refers to share. */
export interface CheckContext {
  names: Names;
  purpose: Purpose;
  diagnostics: Diagnostics;
  /** The ids of the measures and calculated fields that are being checked, outermost first. */
  path: readonly string[];
  /** How many references lead here. */
  depth: number;
  /** The longest chain of references of the text that is checked. */
  longest: { chain: number };
  /** Bodies that have been checked already, by id. */
  bodies: Map<string, Body>;
  /** The aggregate in whose argument the check is. */
  inside?: string;
  /** Whether that is TOTAL or its like, whose argument is a measure. */
  isInWindow?: boolean;
  /** Checks the text of a measure or calculated field. */
  checkBody(text: string, context: CheckContext): Typed | undefined;
}

/** The level of a value computed from parts; reports 3004 if rows and aggregates are mixed. */
export function levelOf(context: CheckContext, parts: readonly Typed[]): Level {
  const row = parts.find(({ level }) => level === 'row');
  const isAggregate = parts.some(({ level }) => level === 'aggregate');
  if (row && isAggregate) {
    const message = 'A field of single rows is combined with an aggregate.';
    context.diagnostics.error(3004, row, message, 'Put the field into an aggregate too, such as SUM(…) or MAX(…).');
    return 'aggregate';
  }
  if (isAggregate) return 'aggregate';
  return row ? 'row' : 'constant';
}

export const unknown = ({ from, to }: Span): Typed => ({
  kind: 'literal',
  literal: { type: 'null' },
  type: 'unknown',
  level: 'constant',
  from,
  to,
});
