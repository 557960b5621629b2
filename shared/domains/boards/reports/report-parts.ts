import type { CardRecord, DashboardParts, PageRecord } from '../dashboards/index.ts';
import { boundQuery, type ParameterValues } from './parameter-values.ts';
import type { Report } from './records.ts';
import { isDataBlock } from './report-sight.ts';
import type { DataBlock, ReportBlock } from './schemas.ts';

/** A report as a dashboard whose cards lie below each other, so that it is read, written and sent like one. */
export interface ReportParts extends DashboardParts {
  name: string;
  description: string;
}

const WIDTH = 24;
const DATA_ROWS = 8;
const KPI_ROWS = 5;
const HEADING_ROWS = 2;
/** About as much as fits into a line and a row of a page. */
const LINE_CHARACTERS = 120;
const LINES_PER_ROW = 2;
/** A text that is higher than a page would be cut, so long ones are several cards. */
const LINES_PER_CARD = 24;
/** The height of a card on a grid. */
const MAX_ROWS = 100;

/** `isPaged` is for files, whose pages would cut long texts. */
export function reportParts(report: Report, values: ParameterValues, isPaged = true): ReportParts {
  const { name, description, createdBy, updatedBy, createdAt, updatedAt, revision, layout } = report;
  const stamps = { createdBy, updatedBy, createdAt, updatedAt, revision };
  const isBroken = layout.blocks.some(({ type }) => type === 'page_break');
  const pages: PageRecord[] = [];
  const addPage = () => pages.push({ id: `page-${pages.length + 1}`, name: '', isHidden: false, ...stamps });
  if (isBroken) addPage();
  const cards: CardRecord[] = [];
  let y = 0;
  for (const block of layout.blocks) {
    if (block.type === 'page_break') {
      addPage();
      y = 0;
    }
    for (const card of cardsOf(block, values, isPaged)) {
      const position = { x: 0, y, w: WIDTH, h: card.rows };
      const { rows: _rows, ...content } = card;
      cards.push({ ...EMPTY, ...content, position, pageId: pages.at(-1)?.id ?? null, ...stamps });
      y += card.rows;
    }
  }
  return { name, description, pages, cards, filters: [] };
}

const EMPTY = {
  title: '',
  description: '',
  chartSpec: null,
  savedQueryId: null,
  textContent: null,
  imageUrl: null,
  value: null,
} as const;

type ShownCard = Pick<CardRecord, 'id' | 'cardType'> & Partial<CardRecord> & { rows: number };

function cardsOf(block: ReportBlock, values: ParameterValues, isPaged: boolean): ShownCard[] {
  const { id } = block;
  if (isDataBlock(block)) return [dataCard(block, values)];
  switch (block.type) {
    case 'heading':
      return [{ id, cardType: 'text', title: block.text, rows: HEADING_ROWS }];
    case 'text':
      return isPaged ? textCards(id, block.text) : [longText(id, block.text)];
    case 'image':
      return [{ id, cardType: 'image', title: block.title ?? '', imageUrl: block.imageUrl, rows: 2 }];
    case 'divider':
      return [{ id, cardType: 'divider', rows: 1 }];
    default:
      return [];
  }
}

/** The card of a block with rows. */
function dataCard(block: DataBlock, values: ParameterValues): ShownCard {
  const { id, type: cardType, title = '', description = '', chartSpec, height } = block;
  const rows = height ?? (cardType === 'kpi' ? KPI_ROWS : DATA_ROWS);
  return { id, cardType, title, description, chartSpec: { ...chartSpec, query: boundQuery(block, values) }, rows };
}

function longText(id: string, text: string): ShownCard {
  const height = text.split('\n').reduce((sum, line) => sum + heightOf(line), 0);
  return { id, cardType: 'text', textContent: text, rows: Math.min(MAX_ROWS, rowsOf(height)) };
}

const heightOf = (line: string): number => Math.max(1, Math.ceil(line.length / LINE_CHARACTERS));
const rowsOf = (height: number): number => 1 + Math.ceil(height / LINES_PER_ROW);

function textCards(id: string, text: string): ShownCard[] {
  const pieces: { lines: string[]; height: number }[] = [];
  for (const line of text.split(/\r\n|\r|\n/).flatMap(shortLines)) {
    const height = heightOf(line);
    const last = pieces.at(-1);
    if (last && last.height + height <= LINES_PER_CARD) {
      last.lines.push(line);
      last.height += height;
    } else pieces.push({ lines: [line], height });
  }
  return pieces.map(({ lines, height }, index) => ({
    id: index === 0 ? id : `${id}~${index + 1}`,
    cardType: 'text',
    textContent: lines.join('\n'),
    rows: rowsOf(height),
  }));
}

const LONG_LINE = new RegExp(
  `.{1,${LINE_CHARACTERS * LINES_PER_CARD}}(?:\\s|$)|.{1,${LINE_CHARACTERS * LINES_PER_CARD}}`,
  'gu',
);

/** Splits a line that would not fit on a page, between words where possible. */
const shortLines = (line: string): string[] => line.match(LONG_LINE) ?? [''];
