import { isDeepStrictEqual } from 'node:util';
import { mergeOrder } from './merge-order.ts';
import type { Block, RichText } from './nodes.ts';
import { inlineValuesOf } from './parts.ts';

/** A block that both sides changed in different ways; null where it does not exist. */
export interface BlockConflict {
  blockId: string;
  base: Block | null;
  theirs: Block | null;
  mine: Block | null;
}

export type MergeResult = { isMerged: true; content: RichText } | { isMerged: false; conflicts: BlockConflict[] };

/**
 * Merges two contents that were made from the same one, block by block. Inserted, deleted, moved and replaced blocks of
 * both sides are in the result, whichever side is theirs. A block that one side replaced and the other replaced
 * differently or deleted is a conflict. Blocks that one side only moved follow the other side's changes. The result can
 * exceed the limits of a section, and is without blocks if each side deleted what the other kept: `readRichText`
 * checks it.
 */
export function mergeRichText(base: RichText, theirs: RichText, mine: RichText): MergeResult {
  const [was, one, other] = [byId(base), byId(theirs), byId(mine)];
  const kept = new Map<string, Block>();
  const conflicts: BlockConflict[] = [];
  const conflictOf = (blockId: string): BlockConflict => ({
    blockId,
    base: was.get(blockId) ?? null,
    theirs: one.get(blockId) ?? null,
    mine: other.get(blockId) ?? null,
  });
  for (const id of new Set([...was.keys(), ...one.keys(), ...other.keys()])) {
    const block = mergeBlock(was.get(id), one.get(id), other.get(id));
    if (block === 'conflict') conflicts.push(conflictOf(id));
    else if (block) kept.set(id, block);
  }
  if (conflicts.length > 0) return { isMerged: false, conflicts };
  const order = mergeOrder([...was.keys()], [...one.keys()], [...other.keys()]);
  const content: RichText = { type: 'doc', content: order.flatMap((id) => kept.get(id) ?? []) };
  const repeated = blocksWithRepeatedValues(content);
  return repeated.length > 0 ? { isMerged: false, conflicts: repeated.map(conflictOf) } : { isMerged: true, content };
}

const byId = ({ content }: RichText): Map<string, Block> => new Map(content.map((block) => [block.attrs.id, block]));

/** The block in the result; undefined if it is deleted. */
function mergeBlock(
  base: Block | undefined,
  theirs: Block | undefined,
  mine: Block | undefined,
): Block | 'conflict' | undefined {
  if (isDeepStrictEqual(theirs, mine)) return mine;
  if (isDeepStrictEqual(base, theirs)) return mine;
  if (isDeepStrictEqual(base, mine)) return theirs;
  return 'conflict';
}

/** Both sides may have moved a value to different blocks. */
function blocksWithRepeatedValues(content: RichText): string[] {
  const values = inlineValuesOf(content);
  const blocks = Map.groupBy(values, ({ part }) => part.id);
  return [...new Set(values.filter(({ part }) => blocks.get(part.id)!.length > 1).map(({ blockId }) => blockId))];
}
