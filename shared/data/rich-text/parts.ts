import {
  type Block,
  type InlineValue,
  inlineValueOf,
  type LiveBlock,
  liveBlockOf,
  type Mention,
  mentionOf,
  type RichNode,
  type RichText,
} from './nodes.ts';

/** A node within a content: its block, and its place as a JSON pointer below the content. */
export interface Placed<Part> {
  part: Part;
  blockId: string;
  pointer: string;
}

/** The live blocks of a content, in order. */
export const liveBlocksOf = (content: RichText): Placed<LiveBlock>[] =>
  placed(content, (node) => (node.type === 'liveBlock' ? liveBlockOf(node) : undefined));

/** The inline values of a content, in order. */
export const inlineValuesOf = (content: RichText): Placed<InlineValue>[] =>
  placed(content, (node) => (node.type === 'value' ? inlineValueOf(node) : undefined));

/** The mentions of a content, in order; a person may be mentioned more than once. */
export const mentionsOf = (content: RichText): Placed<Mention>[] =>
  placed(content, (node) => (node.type === 'mention' ? mentionOf(node) : undefined));

function placed<Part>(content: RichText, pick: (node: RichNode) => Part | undefined): Placed<Part>[] {
  const found: Placed<Part>[] = [];
  const visit = (node: RichNode, block: Block, pointer: string): void => {
    const part = pick(node);
    if (part !== undefined) found.push({ part, blockId: block.attrs.id, pointer });
    for (const [index, child] of (node.content ?? []).entries()) visit(child, block, `${pointer}/content/${index}`);
  };
  for (const [index, block] of content.content.entries()) visit(block, block, `/content/${index}`);
  return found;
}
