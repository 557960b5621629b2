import { dateLiteral, datetimeLiteral } from '../language/literals.ts';
import type { Typed } from '../language/typed.ts';
import { commonType, type ExpressionType, isCalendar, isNumeric } from '../language/types.ts';
import type { CheckContext } from './context.ts';

/** A type as messages name it. */
export function typeName(type: ExpressionType): string {
  const names: Partial<Record<ExpressionType, string>> = {
    string: 'a text',
    number: 'a number',
    integer: 'an integer',
    decimal: 'a decimal number',
    boolean: 'a condition (true or false)',
    date: 'a date',
    datetime: 'a datetime',
    time: 'a time of day',
    geo: 'a geographic value',
    texts: 'a list of texts',
    attribute: 'an attribute',
  };
  return names[type] ?? type;
}

/** Converts a value where its type differs: a date to the datetime of its midnight, null to a typed null. */
export function converted(node: Typed, type: ExpressionType): Typed {
  if (node.type === type || type === 'unknown' || node.type === 'unknown') return node;
  if (node.type === 'null' || (node.type === 'date' && type === 'datetime')) return convert(node, type);
  return node;
}

/** A conversion that the SQL must show. */
export const convert = (operand: Typed, type: ExpressionType): Typed => ({
  kind: 'convert',
  operand,
  type,
  level: operand.level,
  from: operand.from,
  to: operand.to,
});

/** An attribute, of which one value is wanted, as a text. */
export const asText = (node: Typed): Typed => (node.type === 'attribute' ? convert(node, 'string') : node);

/** Brings values to one type, if there is one. A text literal beside dates is read as a date. */
export function unified(
  context: CheckContext,
  nodes: readonly Typed[],
): { nodes: Typed[]; type: ExpressionType } | undefined {
  const calendar = nodes.find(({ type }) => isCalendar(type));
  const read = calendar ? nodes.map((node) => asDate(context, node, calendar.type)) : [...nodes];
  let type: ExpressionType | undefined = 'null';
  for (const node of read) type = type && commonType(type, node.type);
  if (!type) return undefined;
  const target = type;
  return { nodes: read.map((node) => converted(node, target)), type: target };
}

/** A text literal that has the form of a date or datetime, in place of one. Reports 1004 for another text. */
function asDate(context: CheckContext, node: Typed, type: ExpressionType): Typed {
  if (node.kind !== 'literal' || node.literal.type !== 'string') return node;
  const { text } = node.literal;
  const date = dateLiteral(text);
  const literal = date && type === 'date' ? date : datetimeLiteral(text);
  if (literal && 'text' in literal) return { ...node, literal, type: literal.type };
  context.diagnostics.error(
    1004,
    node,
    `"${text}" is not a date.`,
    "Write dates as '2026-01-31' or '2026-01-31T10:30:00Z'.",
  );
  return { ...node, type: 'unknown' };
}

/** The number of a literal, also below zero. */
export function numberOf(node: Typed): number | undefined {
  if (node.kind !== 'literal' || !isNumeric(node.type) || !('text' in node.literal)) return undefined;
  return Number(node.literal.text);
}
