import { type Block, inlineValueOf, mentionText, type RichNode } from './nodes.ts';

/** A piece of the text of a block, and the inline node that it belongs to. */
export interface TextSpan {
  from: number;
  to: number;
  /** The index within each list of nodes, from the block down. */
  path: readonly number[];
}

export interface BlockText {
  text: string;
  /** In order, without the breaks between paragraphs. */
  spans: readonly TextSpan[];
}

const TEXTBLOCKS = new Set(['paragraph', 'heading', 'codeBlock']);

/**
 * The text of a block as quotes refer to it: its inline nodes, with a line break between paragraphs. Offsets are in
 * UTF-16 units. Images and live blocks have none.
 */
export function blockText(block: RichNode): BlockText {
  const spans: TextSpan[] = [];
  let text = '';
  let isFirst = true;
  const visit = (node: RichNode, path: readonly number[]): void => {
    if (TEXTBLOCKS.has(node.type)) {
      if (!isFirst) text += '\n';
      isFirst = false;
    }
    for (const [index, child] of (node.content ?? []).entries()) {
      const piece = inlineText(child);
      if (piece === undefined) visit(child, [...path, index]);
      else {
        spans.push({ from: text.length, to: text.length + piece.length, path: [...path, index] });
        text += piece;
      }
    }
  };
  visit(block, []);
  return { text, spans };
}

/** The text of an inline node; undefined for other nodes. */
export function inlineText(node: RichNode): string | undefined {
  switch (node.type) {
    case 'text':
      return node.text;
    case 'hardBreak':
      return '\n';
    case 'mention':
      return mentionText(node);
    case 'value':
      return inlineValueOf(node).written;
    default:
      return undefined;
  }
}

/** The span and the node at an offset of the text; undefined at a break between paragraphs. */
export function nodeAt(
  block: Block,
  { spans }: BlockText,
  offset: number,
): { span: TextSpan; node: RichNode } | undefined {
  const span = spans.find(({ from, to }) => from <= offset && offset < to);
  return span && { span, node: nodeOfPath(block, span.path) };
}

export const nodeOfPath = (node: RichNode, path: readonly number[]): RichNode =>
  path.reduce((parent, index) => parent.content![index]!, node);
