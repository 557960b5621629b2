import { decimalDigits } from '../duckdb/column-types.ts';
import type { BoundParameter, QueryParameters } from '../duckdb/parameters.ts';
import { isNode, type TreeNode } from './parse-tree.ts';

/** The parameters and the time zone with which a statement runs. */
export interface BoundValues {
  params: QueryParameters | readonly BoundParameter[];
  /** IANA name of the session's time zone. */
  timezone: string;
}

interface Constant {
  kind: 'integer' | 'decimal' | 'text' | 'date' | 'timestamp' | 'timestamptz';
  text: string;
}

const WHOLE = /^-?\d{1,18}$/;
const DECIMAL = /^-?\d+(\.\d+)?$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d(\.\d{1,6})?)?$/;
const MAX_DIGITS = 38;

/**
 * The text of a constant that sorts among the texts of a column's values as the engine sorts the values, after its own
 * conversion between the two types. Undefined if that is uncertain.
 */
export function comparable(columnType: string, node: unknown, bound: BoundValues): string | undefined {
  const constant = isNode(node) ? constantOf(node, bound) : undefined;
  if (!constant) return undefined;
  const { kind, text } = constant;
  if (columnType === 'string') return kind === 'text' ? text : undefined;
  if (columnType === 'integer') return comparableNumber({ whole: 19, scale: 0 }, constant);
  const decimal = decimalDigits(columnType);
  if (decimal) {
    const { precision, scale } = decimal;
    return comparableNumber({ whole: precision - scale, scale }, constant);
  }
  // Types with a time zone are compared in the time zone of the session.
  const isZoned = columnType === 'timestamptz' || kind === 'timestamptz';
  if (isZoned && bound.timezone !== 'UTC') return undefined;
  if (columnType === 'date' && kind === 'text') return DATE.test(text) ? text : undefined;
  if (!['date', 'timestamp', 'timestamptz'].includes(columnType)) return undefined;
  if (kind === 'date') return DATE.test(text) ? text : undefined;
  return kind !== 'integer' && kind !== 'decimal' && TIMESTAMP.test(text) ? text : undefined;
}

/** Beyond 38 digits the engine compares doubles. It converts texts with as many digits as the column has. */
function comparableNumber(column: { whole: number; scale: number }, { kind, text }: Constant): string | undefined {
  if (!DECIMAL.test(text)) return undefined;
  const [whole, fraction = ''] = text.replace('-', '').split('.') as [string, string?];
  if (kind === 'text') return fraction.length <= column.scale && WHOLE.test(whole) ? text : undefined;
  if (kind !== 'integer' && kind !== 'decimal') return undefined;
  const digits = Math.max(column.whole, whole.length) + Math.max(column.scale, fraction.length);
  return digits <= MAX_DIGITS ? text : undefined;
}

const INTEGERS = new Set(['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT']);
const CASTS: Record<string, Constant['kind']> = {
  DATE: 'date',
  TIMESTAMP: 'timestamp',
  'TIMESTAMP WITH TIME ZONE': 'timestamptz',
};

function constantOf(node: TreeNode, bound: BoundValues): Constant | undefined {
  if (node.class === 'CONSTANT') return literalOf(node);
  if (node.class === 'PARAMETER') return boundValue(valueNamed(bound.params, String(node.identifier)));
  if (node.class !== 'CAST' || !isNode(node.child) || !isNode(node.cast_type)) return undefined;
  const kind = CASTS[String(node.cast_type.id)];
  const inner = constantOf(node.child, bound);
  if (!kind || inner?.kind !== 'text') return undefined;
  return kind === 'date' && !DATE.test(inner.text) ? undefined : { kind, text: inner.text };
}

function literalOf(node: TreeNode): Constant | undefined {
  const { type, is_null, value } = node.value as { type: TreeNode & { id: string }; is_null?: boolean; value: unknown };
  if (is_null) return undefined;
  if (type.id === 'VARCHAR' && typeof value === 'string') return { kind: 'text', text: value };
  // JSON may have rounded the number.
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return undefined;
  if (INTEGERS.has(type.id)) return { kind: 'integer', text: String(value) };
  if (type.id !== 'DECIMAL' || !isNode(type.type_info)) return undefined;
  return { kind: 'decimal', text: withPoint(value, Number(type.type_info.scale ?? 0)) };
}

function withPoint(value: number, scale: number): string {
  if (scale === 0) return String(value);
  const digits = String(Math.abs(value)).padStart(scale + 1, '0');
  return `${value < 0 ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function boundValue(value: BoundParameter | undefined): Constant | undefined {
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { kind: 'integer', text: String(value) } : undefined;
  if (typeof value !== 'object' || value === null || !('text' in value)) return undefined;
  // Converts ISO 8601 to the engine's notation.
  return { kind: value.type, text: value.text.replace('T', ' ').replace(/Z$/, '') };
}

function valueNamed(params: BoundValues['params'], name: string): BoundParameter | undefined {
  if (Array.isArray(params)) return (params as readonly BoundParameter[])[Number(name) - 1];
  return Object.hasOwn(params, name) ? (params as Record<string, BoundParameter>)[name] : undefined;
}
