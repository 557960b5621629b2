/** Words of a block, as comments quote them. */
export interface QuotedText {
  sectionId: string;
  blockId: string;
  quote: { exact: string; prefix?: string; suffix?: string };
}

const MAX_QUOTE = 1_000;
const MAX_CONTEXT = 64;
/** Live blocks and images have no text to quote. */
const BLOCK = '.article > section > [id^="block-"]:not(.live, .image)';

interface Piece {
  node: Text;
  from: number;
  to: number;
}

interface BlockText {
  text: string;
  pieces: readonly Piece[];
}

/** The text of a block as quotes refer to it: with a line break between its paragraphs. */
function textOf(block: Element): BlockText {
  const pieces: Piece[] = [];
  let text = '';
  let isFirst = true;
  const add = (node: Text, written: string) => {
    pieces.push({ node, from: text.length, to: text.length + written.length });
    text += written;
  };
  const visit = (node: Node): void => {
    if (node instanceof Text) {
      // A number may have changed since it was written.
      add(node, node.parentElement?.closest<HTMLElement>('.inline-value')?.dataset.written ?? node.data);
      return;
    }
    if (!(node instanceof Element)) return;
    if (node.matches('br')) text += '\n';
    if (node.matches('p, h2, h3, h4, h5, h6, pre')) {
      if (!isFirst) text += '\n';
      isFirst = false;
    }
    for (const child of node.childNodes) visit(child);
  };
  visit(block);
  return { text, pieces };
}

/**
 * What is selected on the page; undefined if it is no text of a story. A selection of several blocks ends in the first.
 */
export function selectedText(selection: Selection | null): { quoted: QuotedText; range: Range } | undefined {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const selected = selection.getRangeAt(0);
  const block = elementOf(selected.startContainer)?.closest(BLOCK);
  if (!block) return undefined;
  const { text, pieces } = textOf(block);
  const inside = pieces.filter(({ node }) => selected.intersectsNode(node));
  const [first, last] = [inside[0], inside.at(-1)];
  if (!first || !last) return undefined;
  const offsetIn = ({ node, from, to }: Piece, container: Node, offset: number, otherwise: number) =>
    node !== container ? otherwise : offset === node.length ? to : Math.min(from + offset, to);
  const start = offsetIn(first, selected.startContainer, selected.startOffset, first.from);
  const end = offsetIn(last, selected.endContainer, selected.endOffset, last.to);
  const exact = text.slice(start, end);
  const from = start + (exact.length - exact.trimStart().length);
  const to = from + exact.trim().length;
  if (from >= to || to - from > MAX_QUOTE) return undefined;
  const [prefix, suffix] = [text.slice(Math.max(0, from - MAX_CONTEXT), from), text.slice(to, to + MAX_CONTEXT)];
  const quote = { exact: text.slice(from, to), ...(prefix && { prefix }), ...(suffix && { suffix }) };
  const sectionId = block.parentElement!.id.slice('section-'.length);
  return {
    quoted: { sectionId, blockId: block.id.slice('block-'.length), quote },
    range: rangeIn(pieces, from, to),
  };
}

const elementOf = (node: Node): Element | null => (node instanceof Element ? node : node.parentElement);

/** Where the quoted words are on the page; `now` is what became of them. Undefined if they are not there. */
export function findQuoted({ blockId, quote }: QuotedText, now = quote.exact): Range | undefined {
  const block = document.getElementById(`block-${blockId}`);
  if (!block?.matches(BLOCK)) return undefined;
  const { text, pieces } = textOf(block);
  const { prefix = '', suffix = '' } = quote;
  let best: { at: number; score: number } | undefined;
  for (let at = text.indexOf(now); at >= 0; at = text.indexOf(now, at + 1)) {
    const score = sameEnd(text.slice(0, at), prefix) + sameStart(text.slice(at + now.length), suffix);
    if (!best || score > best.score) best = { at, score };
  }
  return best && rangeIn(pieces, best.at, best.at + now.length);
}

const sameStart = (a: string, b: string): number => {
  let length = 0;
  while (length < b.length && a[length] === b[length]) length += 1;
  return length;
};
const reversed = (text: string): string => [...text].reverse().join('');
const sameEnd = (a: string, b: string): number => sameStart(reversed(a.slice(-MAX_CONTEXT)), reversed(b));

function rangeIn(pieces: readonly Piece[], from: number, to: number): Range {
  const range = document.createRange();
  const first = pieces.find((piece) => from < piece.to)!;
  const last = pieces.findLast((piece) => to > piece.from)!;
  range.setStart(first.node, Math.min(Math.max(0, from - first.from), first.node.length));
  range.setEnd(last.node, to >= last.to ? last.node.length : Math.min(to - last.from, last.node.length));
  return range;
}
