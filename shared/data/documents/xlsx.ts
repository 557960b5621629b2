import { timeText } from '../../platform/text/time-text.ts';
import type { ChartColumn } from '../charts/chart-columns.ts';
import { showValue } from '../charts/show-value.ts';
import { type Cell, csvRows } from './csv-cells.ts';
import type { DocumentSheet, SheetsAbout } from './documents.ts';
import { uniqueNames } from './file-names.ts';
import { type Cuts, cellXml, NumberStyles, type SheetColumn, STYLE, sheetColumn, textXml } from './xlsx-cells.ts';
import { SHEET_END, sheetHead, workbookParts } from './xlsx-parts.ts';
import { type WriteCheck, writeZip, type ZipEntry } from './zip-file.ts';

/** The rows of a sheet of Excel, without the headings. */
const MAX_SHEET_ROWS = 1_048_575;
const MAX_SHEET_COLUMNS = 16_384;
const NOTES = 'Notes';

/**
 * Writes a workbook with a sheet for each card and one of notes, row by row. A card with more rows than a sheet can
 * hold continues on further sheets.
 */
export async function writeXlsx(
  path: string,
  sheets: readonly DocumentSheet[],
  about: SheetsAbout,
  { maxSheetRows = MAX_SHEET_ROWS, check }: { maxSheetRows?: number | undefined; check?: WriteCheck } = {},
): Promise<void> {
  await writeZip(path, entriesOf(sheets, about, maxSheetRows), new Date(about.generatedAt), check);
}

async function* entriesOf(
  sheets: readonly DocumentSheet[],
  about: SheetsAbout,
  maxSheetRows: number,
): AsyncGenerator<ZipEntry> {
  const written: string[] = [];
  const styles = new NumberStyles();
  const notes: string[][] = [
    [about.title],
    ...(about.description === '' ? [] : [[about.description]]),
    ['Created', timeText(about.generatedAt, about.timezone)],
    ['Time zone', about.timezone],
    ...about.filters.map((filter, index) => [index === 0 ? 'Filters' : '', filter]),
  ];
  for (const sheet of sheets) {
    const cuts: Cuts = { texts: 0 };
    const state = { rows: 0 };
    for await (const content of sheetParts(sheet, maxSheetRows, { cuts, state, styles })) {
      written.push(sheet.title);
      yield { path: `xl/worksheets/sheet${written.length}.xml`, content };
    }
    notes.push(...notesOf(sheet, { about, cuts, rows: state.rows }));
  }
  written.push(NOTES);
  yield { path: `xl/worksheets/sheet${written.length}.xml`, content: () => notesSheet(notes) };
  for (const [name, text] of Object.entries(workbookParts(sheetNames(written), about, styles.codes)))
    yield { path: name, content: () => [Buffer.from(text)] };
}

/** Names that Excel takes: 31 characters at most, some of them forbidden, each once. */
export function sheetNames(titles: readonly string[]): string[] {
  const clean = titles.map((title, index) => {
    const name = title
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot contain them
      .replace(/[\u0000-\u001f\ufffe\uffff[\]:*?/\\]/g, ' ')
      .replace(/\s+/g, ' ')
      .replace(/^[' ]+|[' ]+$/g, '');
    // Excel keeps this name for itself.
    return name === '' || name.toLowerCase() === 'history' ? `Card ${index + 1}` : name;
  });
  return uniqueNames(clean, 31).map((name) => name.replace(/[' ]+$/, ''));
}

interface Progress {
  cuts: Cuts;
  state: { rows: number };
  styles: NumberStyles;
}

/**
 * The sheets of a card: more than one if a sheet cannot hold all rows. Each must be read before the next one is asked
 * for.
 */
async function* sheetParts(
  sheet: DocumentSheet,
  maxRows: number,
  progress: Progress,
): AsyncGenerator<ZipEntry['content']> {
  if (!sheet.csv) {
    yield () => problemSheet(sheet.problem ?? '');
    return;
  }
  const batches = csvRows(await sheet.csv());
  const first = await batches.next();
  const [headings = [], ...rows] = first.value ?? [];
  const source = { batches, waiting: rows as Cell[][] };
  do yield () => dataSheet(sheet, headings, { source, maxRows, progress });
  while (source.waiting.length > 0);
}

interface Source {
  batches: AsyncGenerator<Cell[][]>;
  /** Rows that are read and not written. */
  waiting: Cell[][];
}

async function* dataSheet(
  { columns, timezone }: DocumentSheet,
  headings: readonly Cell[],
  { source, maxRows, progress: { cuts, state, styles } }: { source: Source; maxRows: number; progress: Progress },
): AsyncGenerator<Uint8Array> {
  const shown = columns.slice(0, MAX_SHEET_COLUMNS);
  const written = shown.map((column) => sheetColumn(column, styles));
  const names = shown.map(({ name, type }, at) =>
    /^(timestamptz|datetime)/.test(type) && timezone ? `${headings[at] ?? name} (${timezone})` : (headings[at] ?? name),
  );
  const widths = names.map((name, at) =>
    widthOf(name, shown[at]!, { kind: written[at]!.kind, rows: source.waiting, at }),
  );
  yield Buffer.from(
    `${sheetHead(widths, true)}<row>${names.map((name) => textXml(name, cuts, STYLE.heading)).join('')}</row>`,
  );
  for (let left = maxRows; left > 0; ) {
    if (source.waiting.length === 0) {
      const next = await source.batches.next();
      if (next.done) break;
      source.waiting = next.value;
    }
    const taken = source.waiting.slice(0, left);
    source.waiting = source.waiting.slice(taken.length);
    left -= taken.length;
    state.rows += taken.length;
    yield Buffer.from(taken.map((row) => rowXml(written, row, cuts)).join(''));
  }
  if (source.waiting.length === 0) source.waiting = (await source.batches.next()).value ?? [];
  yield Buffer.from(SHEET_END);
}

const LEAST_WIDTHS: Partial<Record<SheetColumn['kind'], number>> = { number: 14, time: 20 };
/** Rows that are read decide how wide a column of numbers is; later ones may be somewhat longer. */
const SPARE = 4;

/** In characters. Excel shows `####` instead of a number or a date that is wider than its column. */
function widthOf(
  name: string,
  column: ChartColumn,
  { kind, rows, at }: { kind: SheetColumn['kind']; rows: readonly (readonly Cell[])[]; at: number },
): number {
  const heading = Math.min(60, name.length + 2);
  if (kind !== 'number' && kind !== 'date' && kind !== 'time') return Math.max(12, heading);
  const longest = rows.reduce((most, row) => Math.max(most, showValue(column, row[at]).length), 0);
  return Math.max(heading, LEAST_WIDTHS[kind] ?? 12, Math.min(200, longest + SPARE));
}

function rowXml(columns: readonly SheetColumn[], row: readonly Cell[], cuts: Cuts): string {
  let xml = '<row>';
  for (let at = 0; at < columns.length; at += 1) xml += cellXml(columns[at]!, row[at] ?? null, cuts);
  return `${xml}</row>`;
}

function problemSheet(problem: string): Buffer[] {
  const cuts = { texts: 0 };
  const rows = [textXml('Error', cuts, STYLE.heading), textXml(problem, cuts, STYLE.wrapped)];
  return [Buffer.from(`${sheetHead([80], false)}${rows.map((row) => `<row>${row}</row>`).join('')}${SHEET_END}`)];
}

function notesSheet(notes: readonly (readonly string[])[]): Buffer[] {
  const cuts = { texts: 0 };
  const rows = notes.map((cells, index) => {
    const style = index === 0 ? STYLE.heading : STYLE.wrapped;
    return `<row>${cells.map((cell) => textXml(cell, cuts, style)).join('')}</row>`;
  });
  return [Buffer.from(`${sheetHead([32, 100], false)}${rows.join('')}${SHEET_END}`)];
}

function notesOf(
  { title, asOf, truncated, problem, ignoredFilters = [], columns }: DocumentSheet,
  { about, cuts, rows }: { about: SheetsAbout; cuts: Cuts; rows: number },
): string[][] {
  const leftOut = columns.length - MAX_SHEET_COLUMNS;
  const lines = [
    ...(problem === undefined
      ? [`${rows} rows${asOf === undefined ? '' : ` as of ${timeText(asOf, about.timezone)}`}`]
      : [`Error: ${problem}`]),
    ...(truncated ? [about.truncationNote] : []),
    ...(leftOut > 0 ? [`${leftOut} columns are left out, because a sheet holds at most ${MAX_SHEET_COLUMNS}.`] : []),
    ...(cuts.texts > 0 ? [`Texts cut to 32,767 characters, the maximum of a cell: ${cuts.texts}`] : []),
    ...(ignoredFilters.length > 0 ? [`Filters that do not apply to this card: ${ignoredFilters.join(', ')}`] : []),
  ];
  return lines.map((line, index) => [index === 0 ? title : '', line]);
}
