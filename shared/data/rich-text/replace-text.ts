import { blockText, type TextSpan } from './block-text.ts';
import { joinTexts } from './join-texts.ts';
import type { Block, RichNode, RichText } from './nodes.ts';

/** A part of the text of a block, and what to write in its place; an empty replacement deletes the part. */
export interface TextChange {
  blockId: string;
  start: number;
  end: number;
  replacement: string;
}

/**
 * The content with a part of a text replaced. The new text has the marks of the first character of the old one, and
 * what is around it keeps its own. Mentions, values and line breaks that the part touches are replaced with it. Of a
 * part that reaches into further paragraphs of the block, the new text stands in the first one.
 */
export function replaceText(content: RichText, change: TextChange): RichText {
  const replaced = content.content.map((block) => (block.attrs.id === change.blockId ? inBlock(block, change) : block));
  return { ...content, content: replaced };
}

function inBlock(block: Block, { start, end, replacement }: TextChange): Block {
  const touched = blockText(block).spans.filter(({ from, to }) => from < end && to > start);
  const spans = new Map(touched.map((span) => [span.path.join('.'), span]));
  const rebuild = (node: RichNode, path: readonly number[], isPlain: boolean): RichNode[] => {
    const span = spans.get(path.join('.'));
    if (span) return replaceNode(node, span, { start, end, text: span === touched[0] ? replacement : '', isPlain });
    if (!node.content) return [node];
    const { content, ...rest } = node;
    const children = content.flatMap((child, index) => rebuild(child, [...path, index], node.type === 'codeBlock'));
    return [{ ...rest, ...(children.length > 0 && { content: joinTexts(children) }) }];
  };
  return rebuild(block, [], false)[0] as Block;
}

interface Replacement {
  start: number;
  end: number;
  text: string;
  isPlain: boolean;
}

function replaceNode(node: RichNode, { from, to }: TextSpan, { start, end, text, isPlain }: Replacement): RichNode[] {
  const own = node.type === 'text' ? node.text! : '';
  const { marks } = node;
  return [
    ...textNodes(own.slice(0, Math.max(0, start - from)), marks, true),
    ...textNodes(text, marks, isPlain),
    ...(to > end ? textNodes(own.slice(end - from), marks, true) : []),
  ];
}

/** A text as nodes; its line breaks become nodes too, except in code. */
function textNodes(text: string, marks: RichNode['marks'], isPlain: boolean): RichNode[] {
  const marked = marks && { marks };
  const lines = isPlain ? [text] : text.split(/\r?\n/);
  return lines.flatMap((line, index): RichNode[] => [
    ...(index > 0 ? [{ type: 'hardBreak', ...marked } as const] : []),
    ...(line === '' ? [] : [{ type: 'text', ...marked, text: line } as const]),
  ]);
}
