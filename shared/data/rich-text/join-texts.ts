import { isDeepStrictEqual } from 'node:util';
import type { RichNode } from './nodes.ts';

/** Joins texts beside each other that have the same marks, as editors do. */
export function joinTexts(nodes: readonly RichNode[]): RichNode[] {
  const result: RichNode[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    const continues = last?.type === 'text' && node.type === 'text' && isDeepStrictEqual(last.marks, node.marks);
    if (continues) result[result.length - 1] = { ...last, text: last.text! + node.text! };
    else result.push(node);
  }
  return result;
}
