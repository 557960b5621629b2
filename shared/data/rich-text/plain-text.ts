import { inlineText } from './block-text.ts';
import { inlineValueOf, liveBlockOf, type RichNode, type RichText } from './nodes.ts';

export interface PlainTextOptions {
  /** What to write for inline values: by default what the author saw. */
  valueText?: (valueId: string) => string;
}

/**
 * The content as text for people without any markup: for searches, prompts, mails and summaries. Blocks are separated
 * by an empty line.
 */
export function plainText(content: RichText, options: PlainTextOptions = {}): string {
  return content.content
    .map((block) => linesOf(block, options).join('\n'))
    .filter((text) => text !== '')
    .join('\n\n');
}

function linesOf(node: RichNode, options: PlainTextOptions): string[] {
  const children = node.content ?? [];
  switch (node.type) {
    case 'paragraph':
    case 'heading':
    case 'codeBlock':
      return [children.map((child) => textOf(child, options)).join('')];
    case 'bulletList':
      return children.flatMap((item) => indented(inner(item, options), '• '));
    case 'orderedList': {
      const { start = 1 } = (node.attrs ?? {}) as { start?: number };
      return children.flatMap((item, index) => indented(inner(item, options), `${start + index}. `));
    }
    case 'table':
      return children.map((row) => (row.content ?? []).map((cell) => inner(cell, options).join(' ')).join('\t'));
    case 'image':
      return [`[${(node.attrs as { alt: string }).alt}]`];
    case 'liveBlock': {
      const { title } = liveBlockOf(node);
      return title === undefined ? [] : [`[${title}]`];
    }
    case 'divider':
      return [];
    default:
      return inner(node, options);
  }
}

const inner = (node: RichNode, options: PlainTextOptions): string[] =>
  (node.content ?? []).flatMap((child) => linesOf(child, options));

const indented = ([first = '', ...rest]: readonly string[], mark: string): string[] => [
  mark + first,
  ...rest.map((line) => ' '.repeat(mark.length) + line),
];

const textOf = (node: RichNode, { valueText }: PlainTextOptions): string =>
  node.type === 'value' && valueText ? valueText(inlineValueOf(node).id) : inlineText(node)!;
