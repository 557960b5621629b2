import type { TreeNode } from '../sql/parse-tree.ts';
import { readAs } from './comparisons.ts';
import type { Context } from './context.ts';
import { commonType, type Typed } from './typed.ts';

/** Two values that Athena does not take for each other. */
export function mismatch({ refusals }: Context, node: TreeNode, a: Typed, b: Typed): Typed {
  return refusals.add(`${a.type} and ${b.type} meet here, and Athena takes neither for the other: write a CAST.`, node);
}

/** Values as one type, or what they are told to be. */
export function unified(values: readonly Typed[], node: TreeNode, context: Context): { values: Typed[]; type: string } {
  const other = values.find(({ text: content, type }) => content === undefined && type !== 'null') ?? values[0]!;
  const read = values.map((value) => readAs(value, other) ?? value);
  let type = 'null';
  for (const value of read) {
    const common = commonType(type, value.type);
    if (common === undefined) {
      mismatch(context, node, { sql: '', type }, value);
      return { values: read, type: 'unknown' };
    }
    type = common;
  }
  return { values: read, type };
}
