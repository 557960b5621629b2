import type { Typed, Principal as UserValues } from '../../../data/expressions/index.ts';

/**
 * Whether the condition holds for every row, whatever it has, because the user alone decides it: `TRUE`, `user.role =
 * "admin"`, or one of these in an OR. Someone with such a policy sees the whole table. False where that is not certain.
 */
export function isAlwaysTrue(tree: Typed, user: UserValues): boolean {
  switch (tree.kind) {
    case 'literal':
      return tree.literal.type === 'boolean' && tree.literal.value;
    case 'logic': {
      const holds = (operand: Typed) => isAlwaysTrue(operand, user);
      return tree.operator === 'or' ? tree.operands.some(holds) : tree.operands.every(holds);
    }
    case 'compare': {
      const [left, right] = [textOf(tree.left, user), textOf(tree.right, user)];
      return tree.operator === '=' && left !== undefined && left === right;
    }
    case 'in': {
      const operand = textOf(tree.operand, user);
      return (
        !tree.isNegated && operand !== undefined && tree.items.some((item) => textsOf(item, user).includes(operand))
      );
    }
    default:
      return false;
  }
}

/** The value of a text that no row changes. */
function textOf(node: Typed, user: UserValues): string | undefined {
  const texts = textsOf(node, user);
  return texts.length === 1 ? texts[0] : undefined;
}

function textsOf(node: Typed, user: UserValues): readonly string[] {
  switch (node.kind) {
    case 'literal':
      return node.literal.type === 'string' ? [node.literal.text] : [];
    case 'user':
      return [user[node.property]].flat();
    case 'attribute':
      return Object.hasOwn(user.attributes, node.name) ? [user.attributes[node.name]!].flat() : [];
    case 'convert':
      return node.type === 'string' && node.operand.kind === 'attribute' ? textsOf(node.operand, user) : [];
    default:
      return [];
  }
}
