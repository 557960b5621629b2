import type { TreeNode } from '../sql/parse-tree.ts';
import { readAs } from './comparisons.ts';
import type { Context } from './context.ts';
import { commonType, type Typed } from './typed.ts';

/** Reports two values of types that Athena does not convert to each other. */
export function mismatch({ issues }: Context, node: TreeNode, a: Typed, b: Typed): Typed {
  return issues.add(`${a.type} and ${b.type} cannot be combined in Athena; add a CAST.`, node);
}

/** Converts values to one type, and reports them if there is none. */
export function unify(values: readonly Typed[], node: TreeNode, context: Context): { values: Typed[]; type: string } {
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
