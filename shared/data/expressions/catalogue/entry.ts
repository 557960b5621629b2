import type { Literal } from '../language/tree.ts';
import type { DataType, ExpressionType } from '../language/types.ts';

export type Dialect = 'duckdb' | 'postgres';

export const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type Unit = (typeof UNITS)[number];
/** Units that are shorter than a day. They need a datetime. */
export const isClockUnit = (unit: string): boolean => unit === 'second' || unit === 'minute' || unit === 'hour';

/** An argument that must be written as a literal. */
export type LiteralKind =
  | { is: 'unit'; units: readonly string[] }
  | { is: 'integer'; min: number; max: number }
  | { is: 'share' }
  | { is: 'dateFormat' };

export interface Parameter {
  name: string;
  /** The accepted types; an integer or decimal is also accepted where `number` is. */
  accepts: readonly DataType[];
  literal?: LiteralKind;
  isOptional?: true;
  /** The parameter may be repeated. */
  isRepeated?: true;
  /** All arguments of such parameters have, or are converted to, one type. */
  isCommon?: true;
  /** Exact numbers are converted to `number`. */
  asNumber?: true;
}

/** What an emission is written from. */
export interface CallSql {
  args: readonly string[];
  /** The arguments in brackets where an operator beside them would bind tighter. */
  operands: readonly string[];
  types: readonly ExpressionType[];
  /** The arguments that are literals. */
  literals: readonly (Literal | undefined)[];
  /** ` FILTER (WHERE …)` or nothing. It follows the call of the aggregate directly. */
  filter: string;
  /** The argument as date or time of day in the time zone of the query. */
  wall(index: number): string;
  /** Converts a time of day in the time zone of the query to an instant. */
  instant(wall: string): string;
  /** The moment of the query, as SQL. */
  now(): string;
  today(): string;
}

export type Emit = (call: CallSql) => string;

/**
 * An aggregate whose first argument is a measure, which is computed for each value of the other arguments within the
 * group.
 */
export interface Nesting {
  /** The aggregate that puts the values of the entities together. */
  by: 'SUM' | 'AVG' | 'MEDIAN' | 'MIN' | 'MAX' | 'COUNT';
  /** Which times make the value of an entity. The second argument is the time then, and entities follow. */
  time?: 'first' | 'last' | 'each';
}

export interface FunctionEntry {
  name: string;
  kind: 'scalar' | 'aggregate' | 'window';
  parameters: readonly Parameter[];
  /** The type of the result, from the types and literals of the arguments. */
  returns: (types: readonly ExpressionType[], literals: readonly (Literal | undefined)[]) => ExpressionType;
  /** The name of the aggregate that this one is with its last argument as the filter. */
  filtered?: string;
  /** How totals of parts give the total: by summing them, by the function itself, or not at all. */
  additivity?: 'full' | 'semi';
  /** Set for aggregates of aggregates. */
  nested?: Nesting;
  /** What it computes, in one sentence. */
  summary: string;
  /** What null, zero, and empty groups give, in one sentence. */
  nulls: string;
  /** An expression and its result as JSON, over the sample of the guide; without one if it needs a plan. */
  example: [expression: string, result?: string];
  emit: Record<Dialect, Emit>;
}

export const NUMERIC = ['number', 'integer', 'decimal'] as const satisfies readonly DataType[];
export const CALENDAR = ['date', 'datetime'] as const satisfies readonly DataType[];
export const COMPARABLE = [...NUMERIC, 'string', ...CALENDAR, 'time'] as const satisfies readonly DataType[];
export const ANY = [...COMPARABLE, 'boolean', 'geo'] as const satisfies readonly DataType[];

export const always = (type: DataType) => () => type;
export const ofFirst: FunctionEntry['returns'] = ([type]) => type ?? 'unknown';
/** The same SQL for both engines. */
export const both = (emit: Emit): FunctionEntry['emit'] => ({ duckdb: emit, postgres: emit });

/** The text of a literal argument: a unit, a format or a number. */
export function literalText(literal: Literal | undefined): string {
  return literal !== undefined && 'text' in literal ? literal.text : '';
}
