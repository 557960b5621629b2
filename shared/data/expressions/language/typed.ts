import type { Span } from './diagnostics.ts';
import type { ArithmeticOperator, CompareOperator, Literal, UserProperty } from './tree.ts';
import type { ExpressionType } from './types.ts';

/** Whether a value is the same for all rows, is computed for each row, or is computed from groups of rows. */
export type Level = 'constant' | 'row' | 'aggregate';

interface Base extends Span {
  type: ExpressionType;
  level: Level;
}

/** A reference to a field by ids. `body` is the expression of a calculated field. */
export type TypedField = Base & { kind: 'field'; table: string; field: string; body?: Typed };
export type TypedMeasure = Base & { kind: 'measure'; measure: string; body: Typed };
export type TypedCall = Base & {
  kind: 'call';
  /** The name in the catalogue. `SUM_IF` and its like are calls of the aggregate with a filter. */
  name: string;
  args: Typed[];
  isStar: boolean;
  filter?: Typed;
};

/** The tree of a valid expression: names are ids, types are known, and implicit conversions are `convert` nodes. */
export type Typed =
  | TypedField
  | TypedMeasure
  | TypedCall
  | (Base &
      (
        | { kind: 'literal'; literal: Literal }
        | { kind: 'user'; property: UserProperty }
        | { kind: 'attribute'; name: string }
        /** Steps from left to right; the type of each step is the type of the result so far. */
        | {
            kind: 'arithmetic';
            first: Typed;
            steps: { operator: ArithmeticOperator; operand: Typed; type: ExpressionType }[];
          }
        | { kind: 'negate' | 'not' | 'convert'; operand: Typed }
        | { kind: 'compare'; operator: CompareOperator; left: Typed; right: Typed }
        | { kind: 'logic'; operator: 'and' | 'or'; operands: Typed[] }
        | { kind: 'in'; isNegated: boolean; operand: Typed; items: Typed[]; isList: boolean }
        | { kind: 'between'; isNegated: boolean; operand: Typed; low: Typed; high: Typed }
        | { kind: 'isNull'; isNegated: boolean; operand: Typed }
        | { kind: 'case'; branches: { when: Typed; result: Typed }[]; otherwise?: Typed }
      ));

/** The parts of a node, without the bodies of measures and calculated fields. */
export function partsOf(node: Typed): Typed[] {
  switch (node.kind) {
    case 'arithmetic':
      return [node.first, ...node.steps.map(({ operand }) => operand)];
    case 'negate':
    case 'not':
    case 'convert':
    case 'isNull':
      return [node.operand];
    case 'compare':
      return [node.left, node.right];
    case 'logic':
      return node.operands;
    case 'in':
      return [node.operand, ...node.items];
    case 'between':
      return [node.operand, node.low, node.high];
    case 'case':
      return [
        ...node.branches.flatMap(({ when, result }) => [when, result]),
        ...(node.otherwise ? [node.otherwise] : []),
      ];
    case 'call':
      return [...node.args, ...(node.filter ? [node.filter] : [])];
    default:
      return [];
  }
}

/** The expression that a reference stands for, if it has one. */
export const bodyOf = (node: Typed): Typed | undefined =>
  node.kind === 'measure' || node.kind === 'field' ? node.body : undefined;
