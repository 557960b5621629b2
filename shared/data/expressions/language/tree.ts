import type { Span } from './diagnostics.ts';

export type ArithmeticOperator = '+' | '-' | '*' | '/';
export type CompareOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';
export const USER_PROPERTIES = ['id', 'email', 'role', 'groups'] as const;
export type UserProperty = (typeof USER_PROPERTIES)[number];

/**
 * A literal. Numbers keep their text, because a double could not hold them: `integer` has digits only, `decimal` a
 * point, `number` an exponent. A `datetime` without an offset is a time of day in the time zone of the query.
 */
export type Literal =
  | { type: 'integer' | 'decimal' | 'number' | 'string' | 'date' | 'datetime'; text: string }
  | { type: 'boolean'; value: boolean }
  | { type: 'null' };

/**
 * The tree of a text, before names and types are known. Chains of operators are lists, so that the depth of the tree
 * is the depth of the brackets.
 */
export type Node = Span &
  (
    | { kind: 'literal'; literal: Literal }
    | { kind: 'field'; alias?: string; name: string }
    | { kind: 'measure'; name: string }
    | { kind: 'user'; property: string }
    | { kind: 'attribute'; name: string }
    | { kind: 'arithmetic'; first: Node; steps: { operator: ArithmeticOperator; operand: Node }[] }
    | { kind: 'negate'; operand: Node }
    | { kind: 'compare'; operator: CompareOperator; left: Node; right: Node }
    | { kind: 'logic'; operator: 'and' | 'or'; operands: Node[] }
    | { kind: 'not'; operand: Node }
    | { kind: 'in'; isNegated: boolean; operand: Node; items: Node[]; isList: boolean }
    | { kind: 'between'; isNegated: boolean; operand: Node; low: Node; high: Node }
    | { kind: 'isNull'; isNegated: boolean; operand: Node }
    | { kind: 'case'; subject?: Node; branches: { when: Node; result: Node }[]; otherwise?: Node }
    | { kind: 'call'; name: string; nameSpan: Span; args: Node[]; isStar: boolean; filter?: Node }
    | { kind: 'error' }
  );
