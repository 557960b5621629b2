import {
  BorderStyle,
  ExternalHyperlink,
  HeadingLevel,
  Paragraph,
  type ParagraphChild,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import type { TextPart, TextRow, TextSpan } from '../../platform/text/markdown/text-parts.ts';
import { printable } from '../charts/svg.ts';
import { runsFromRight } from './article.ts';

export type DocxHeading = (typeof HeadingLevel)[keyof typeof HeadingLevel];

const LEVELS = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
] as const;
/** In twentieths of a point. */
const INDENT = 360;
const WIDTH = 9000;
const MONO = 'Courier New';
const LINK = '0B57D0';
const BAR = { style: BorderStyle.SINGLE, size: 12, space: 8, color: 'BBBBBB' };

/** The style of the heading that is so many levels below another one. */
export const headingBelow = (level: DocxHeading, levels: number): DocxHeading =>
  LEVELS[Math.min(LEVELS.length - 1, LEVELS.findIndex((each) => each === level) + levels)]!;

/** A text as paragraphs and tables; its headings begin at the level. */
export function docxBlocks(part: TextPart, first: DocxHeading): (Paragraph | Table)[] {
  switch (part.kind) {
    case 'heading':
      return [
        new Paragraph({
          heading: headingBelow(first, part.level - 1),
          keepNext: true,
          ...directed(part.spans),
          children: runs(part.spans),
        }),
      ];
    case 'paragraph': {
      const { spans, depth, mark, isAside } = part;
      const mine = mark === '' ? [] : [new TextRun(`${mark}\t`)];
      return [
        new Paragraph({
          ...directed(spans),
          indent: { left: depth * INDENT + (isAside ? INDENT : 0), ...(mark !== '' && { hanging: INDENT }) },
          ...(isAside && { border: { left: BAR } }),
          children: [...mine, ...runs(spans)],
        }),
      ];
    }
    case 'code':
      return part.text.split(/\r\n|\r|\n/).map(
        (line) =>
          new Paragraph({
            shading: { fill: 'F0F2F4' },
            children: [new TextRun({ text: printable(line), font: MONO, size: 17 })],
          }),
      );
    case 'table':
      return [tableOf(part.rows), new Paragraph('')];
    case 'divider':
      return [new Paragraph({ thematicBreak: true })];
  }
}

function tableOf(rows: readonly TextRow[]): Table {
  const columns = Math.max(1, ...rows.map(({ cells }) => cells.length));
  const width = Math.floor(WIDTH / columns);
  const empty: readonly TextSpan[] = [];
  return new Table({
    layout: TableLayoutType.FIXED,
    width: { size: width * columns, type: WidthType.DXA },
    columnWidths: Array.from({ length: columns }, () => width),
    rows: rows.map(
      ({ cells, isHeader }, index) =>
        new TableRow({
          tableHeader: isHeader && index === 0,
          children: Array.from({ length: columns }, (_, at) => cells[at] ?? empty).map(
            (spans) =>
              new TableCell({
                width: { size: width, type: WidthType.DXA },
                children: [new Paragraph({ ...directed(spans), children: runs(spans, isHeader) })],
              }),
          ),
        }),
    ),
  });
}

const directed = (spans: readonly TextSpan[]) => (runsFromRight(spans) ? { bidirectional: true } : {});

const runs = (spans: readonly TextSpan[], isHeader = false): ParagraphChild[] =>
  spans.flatMap((span): ParagraphChild[] => {
    const pieces = printable(span.text).split(/\r\n|\r|\n/);
    const texts = pieces.map((text, index) => runOf(text, { ...span, bold: span.bold || isHeader }, index > 0));
    return span.href === undefined ? texts : [new ExternalHyperlink({ link: span.href, children: texts })];
  });

const runOf = (text: string, { bold, italic, strike, code, href }: TextSpan, isBroken: boolean): TextRun =>
  new TextRun({
    text,
    ...(isBroken && { break: 1 }),
    ...(bold && { bold }),
    ...(italic && { italics: true }),
    ...(strike && { strike }),
    ...(code && { font: MONO }),
    ...(runsFromRight([{ text }]) && { rightToLeft: true }),
    ...(href !== undefined && { color: LINK, underline: {} }),
  });
