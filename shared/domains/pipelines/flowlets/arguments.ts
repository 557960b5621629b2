import { quoteIdentifier, quoteLiteral } from '../../../data/duckdb/quoting.ts';
import { replaceReferences } from '../../../data/sql/templates.ts';
import type { Issue } from '../../../platform/errors/app-error.ts';
import { didYouMean } from '../../../platform/text/nearest.ts';
import type { Argument, FlowletParameter, FlowletParameterType } from './record.ts';

const COLUMN_TYPE = /^(string|integer|double|boolean|date|timestamp|timestamptz|json|decimal\(\d{1,2},\d{1,2}\))$/;

const FITS: Record<FlowletParameterType, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  column: (value) => typeof value === 'string' && value.length >= 1 && value.length <= 63,
  type: (value) => typeof value === 'string' && COLUMN_TYPE.test(value),
};

export const fitsType = (type: FlowletParameterType, value: unknown): boolean => FITS[type](value);

/** An argument with its declared type, so that a string is never used as a column or a type. */
export interface TypedArgument {
  type: FlowletParameterType;
  value: Argument;
}

export type TypedArguments = ReadonlyMap<string, TypedArgument>;

/** The values of optional parameters without a default. */
const EMPTY_VALUES: Partial<Record<FlowletParameterType, Argument>> = {
  string: '',
  number: 0,
  boolean: false,
  list: [],
};

/** The arguments by name, including defaults. Missing required ones are reported and left out. */
export function typedArguments(
  declared: readonly FlowletParameter[],
  given: Readonly<Record<string, unknown>>,
  at: string,
): { args: TypedArguments; issues: Issue[] } {
  const issues: Issue[] = [];
  for (const name of Object.keys(given)) {
    if (declared.some((parameter) => parameter.name === name)) continue;
    const names = declared.map((parameter) => parameter.name);
    const message = `Unknown parameter "${name}"${didYouMean(name, names)}`;
    issues.push({ pointer: `${at}/${name}`, code: 'PARAMETER_UNKNOWN', message });
  }
  const args = new Map<string, TypedArgument>();
  for (const { name, type, default: fallback, required } of declared) {
    const value = Object.hasOwn(given, name) ? given[name] : (fallback ?? (required ? undefined : EMPTY_VALUES[type]));
    const pointer = `${at}/${name}`;
    if (value === undefined) issues.push({ pointer, code: 'REQUIRED', message: 'is required' });
    else if (!fitsType(type, value)) issues.push({ pointer, code: 'TYPE', message: `must be a ${type}` });
    else args.set(name, { type, value: value as Argument });
  }
  return { args, issues };
}

/** Members of operations that hold SQL, and members whose keys the author chooses: a key may be `param`. */
const SQL_MEMBERS: ReadonlySet<string> = new Set(['condition', 'expression']);
const NAMED_MEMBERS: ReadonlySet<string> = new Set(['map', 'paths', 'params', 'columnMap']);

/**
 * Replaces the parameters of an operation by arguments: `{"param": "name"}` becomes the value itself, and
 * `{{ flowlet.name }}` in SQL a literal or a quoted column. Values are quoted, so `'; DROP` stays a string.
 */
export function withArguments(
  op: Record<string, unknown>,
  args: TypedArguments,
  at: string,
): { op: Record<string, unknown>; issues: Issue[] } {
  const issues: Issue[] = [];
  const unknown = (pointer: string, name: string): undefined => {
    const message = `Unknown parameter "${name}"${didYouMean(name, args.keys())}`;
    issues.push({ pointer, code: 'PARAMETER_UNKNOWN', message });
  };
  const inSql = (text: string, pointer: string): string => {
    const { sql, problems } = replaceReferences(text, (reference) => {
      const name = /^flowlet\.(\w+)$/.exec(reference)?.[1];
      const found = name === undefined ? undefined : args.get(name);
      return found && literalOf(found);
    });
    issues.push(...problems.map((message) => ({ pointer, code: 'TEMPLATE_INVALID', message })));
    return sql;
  };
  const walk = (node: unknown, pointer: string): unknown => {
    if (Array.isArray(node)) return node.map((item, index) => walk(item, `${pointer}/${index}`));
    if (typeof node !== 'object' || node === null) return node;
    const name = parameterOf(node);
    return name === undefined ? each(node, pointer, walk) : (args.get(name) ?? unknown(pointer, name))?.value;
  };
  const member = (node: unknown, pointer: string, name: string): unknown => {
    if (SQL_MEMBERS.has(name)) {
      if (typeof node === 'string') return inSql(node, pointer);
      const parameter = parameterOf(node);
      if (parameter === undefined) return node;
      const message = `In SQL write the value of the parameter as {{ flowlet.${parameter} }}.`;
      issues.push({ pointer, code: 'TEMPLATE_INVALID', message });
      return undefined;
    }
    const isNamed = NAMED_MEMBERS.has(name) && typeof node === 'object' && node !== null && !Array.isArray(node);
    return isNamed ? each(node, pointer, walk) : walk(node, pointer);
  };
  return { op: each(op, at, member), issues };
}

function each(
  node: object,
  pointer: string,
  work: (value: unknown, pointer: string, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, work(value, `${pointer}/${name}`, name)]),
  );
}

/** The name in `{"param": "name"}`. */
function parameterOf(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null || Object.keys(node).length !== 1) return undefined;
  const { param } = node as { param?: unknown };
  return typeof param === 'string' ? param : undefined;
}

/** The argument as SQL; undefined for a type, which is not a value. */
function literalOf({ type, value }: TypedArgument): string | undefined {
  if (type === 'type') return undefined;
  if (type === 'column') return quoteIdentifier(value as string);
  if (Array.isArray(value)) return `[${value.map(scalar).join(', ')}]`;
  return scalar(value as string | number | boolean);
}

const scalar = (value: string | number | boolean): string =>
  typeof value === 'string' ? quoteLiteral(value) : typeof value === 'number' ? `(${value})` : String(value);
