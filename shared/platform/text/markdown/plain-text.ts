import type { TextPart, TextSpan } from './text-parts.ts';

/** The parts as lines of plain text; a line without any text separates paragraphs. */
export function plainLines(parts: readonly TextPart[]): string[] {
  const lines: string[] = [];
  for (const [index, part] of parts.entries()) {
    if (index > 0 && !(isItem(part) && isItem(parts[index - 1]!))) lines.push('');
    lines.push(...linesOf(part));
  }
  return lines;
}

const isItem = (part: TextPart): boolean => part.kind === 'paragraph' && part.depth > 0;

function linesOf(part: TextPart): string[] {
  switch (part.kind) {
    case 'heading':
      return textOf(part.spans).split('\n');
    case 'paragraph': {
      const { spans, depth, mark, isAside } = part;
      const [first = '', ...rest] = textOf(spans).split('\n');
      const indent = '  '.repeat(Math.max(0, depth - 1));
      const marked = mark === '' ? '' : `${mark} `;
      const hanging = depth > 0 ? indent + ' '.repeat(marked === '' ? 2 : marked.length) : '';
      const quote = isAside ? '> ' : '';
      const lines = [(marked === '' ? hanging : indent + marked) + first, ...rest.map((line) => hanging + line)];
      return lines.map((line) => quote + line);
    }
    case 'code':
      return part.text.split('\n').map((line) => `    ${line}`);
    case 'table':
      return part.rows.map(({ cells }) => cells.map((spans) => textOf(spans).replaceAll('\n', ' ')).join(' · '));
    case 'divider':
      return ['———'];
  }
}

/** Links with their address, unless the text is the address. */
function textOf(spans: readonly TextSpan[]): string {
  return spans
    .map(({ text, href }, index) => {
      const isEnd = href !== undefined && spans[index + 1]?.href !== href;
      const isAddress = href === text || href === `mailto:${text}`;
      return isEnd && !isAddress ? `${text} (${href.replace(/^mailto:/i, '')})` : text;
    })
    .join('');
}
