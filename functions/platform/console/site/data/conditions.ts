import type { Types } from './client.ts';

/** How conditions are said; those that need no value have no text for it. */
export const OPERATORS: Readonly<Record<string, string>> = {
  eq: 'is',
  ne: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  between: 'is between',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  is_null: 'has no value',
  not_null: 'has a value',
};
export const needsValue = (op: string): boolean => op !== 'is_null' && op !== 'not_null';

/** Whether a comparison is with a list of values. */
export const hasSeveral = (op: string): boolean => /^(in|not_in|between)$/.test(op);

/** A condition in words, such as `orders.region is not internal`. */
export function conditionText(condition: Types.QuestionCondition, nameOf: (id: string) => string): string {
  if (condition.anyOf) return condition.anyOf.map((each) => conditionText(each, nameOf)).join(' or ');
  if (condition.expression !== undefined) return condition.expression;
  const { fieldId, op = 'eq', values } = condition;
  return [fieldId && nameOf(fieldId), OPERATORS[op] ?? op.replaceAll('_', ' '), values.join(', ')]
    .filter(Boolean)
    .join(' ');
}
