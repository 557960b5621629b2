import { createHash } from 'node:crypto';
import type { Typed } from '../expressions/index.ts';

const KEYS = new WeakMap<Typed, string>();

/** Equal for trees of the same form, wherever they are in a text. Short, because trees have parts in common. */
export function keyOf(tree: Typed): string {
  const known = KEYS.get(tree);
  if (known !== undefined) return known;
  const text = JSON.stringify(tree, (name, value: unknown) => {
    if (name === 'from' || name === 'to') return undefined;
    return name !== '' && isTree(value) ? keyOf(value) : value;
  });
  const key = createHash('sha256').update(text).digest('base64url');
  KEYS.set(tree, key);
  return key;
}

const isTree = (value: unknown): value is Typed =>
  typeof value === 'object' && value !== null && 'kind' in value && 'level' in value;
