/** Syntax trees of expressions as written: names and values are still placeholders. */

/** Attribute names (or `#n` placeholders) and list indexes. */
export type PathSyntax = { kind: 'path'; parts: (string | number)[] };
export type ValueSyntax = { kind: 'value'; placeholder: string };
export type CallSyntax = { kind: 'call'; name: string; operands: OperandSyntax[] };
export type OperandSyntax = PathSyntax | ValueSyntax | CallSyntax;

export const comparators = ['=', '<>', '<', '<=', '>', '>='] as const;
export type Comparator = (typeof comparators)[number];

export type ConditionSyntax =
  | { kind: 'and' | 'or'; left: ConditionSyntax; right: ConditionSyntax }
  | { kind: 'not'; condition: ConditionSyntax }
  | { kind: 'compare'; comparator: Comparator; left: OperandSyntax; right: OperandSyntax }
  | { kind: 'between'; operand: OperandSyntax; low: OperandSyntax; high: OperandSyntax }
  | { kind: 'in'; operand: OperandSyntax; list: OperandSyntax[] }
  | CallSyntax;

export type SetValueSyntax =
  | OperandSyntax
  | { kind: 'arithmetic'; operator: '+' | '-'; left: OperandSyntax; right: OperandSyntax };

export type UpdateAction =
  | { kind: 'SET'; path: PathSyntax; value: SetValueSyntax }
  | { kind: 'REMOVE'; path: PathSyntax }
  | { kind: 'ADD' | 'DELETE'; path: PathSyntax; value: ValueSyntax };
