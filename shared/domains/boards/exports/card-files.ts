import { Readable } from 'node:stream';
import { withLookFormats } from '../../../data/charts/look-formats.ts';
import type { DocumentSheet } from '../../../data/documents/documents.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { readableMessage } from '../../../platform/errors/readable-message.ts';
import type { FileContent } from '../../semantics/queries/index.ts';
import { appliedFilters, cardTimezone, filtersFor, hasRows, queryOf } from '../cards/index.ts';
import { type ChartFile, MAX_CHART_ROWS, readChartFile } from '../charts/index.ts';
import type { CardRecord } from '../dashboards/index.ts';
import type { ExportContext } from './export-command.ts';
import { exportedPages } from './exported-cards.ts';
import { MAX_EXPORTED_ROWS, type RowsFormat } from './formats.ts';

export interface CardSheet extends DocumentSheet {
  content?: FileContent;
}

const CARDS_AT_ONCE = 4;
/** What is left for writing the file. */
const WRITING_MS = 4_000;
const MAX_QUERY_MS = 25_000;

export const truncationNoteOf = (format: RowsFormat): string =>
  `Truncated: the card has more rows than the file. Exports to ${format} contain at most ${MAX_EXPORTED_ROWS[format].toLocaleString('en')} rows of a card, ${MAX_CHART_ROWS.toLocaleString('en')} of a card on a blend, or fewer if its query has a lower limit.`;

/**
 * All rows of the cards that have rows, as CSV; a card that fails has a problem instead. Cards with the same query are
 * read once. Throws `CARD_WITHOUT_ROWS` if no card has rows.
 */
export async function cardSheets(context: ExportContext, format: RowsFormat): Promise<CardSheet[]> {
  const { deps, command, dashboard, leftMs } = context;
  const cards = exportedPages(dashboard, command).flatMap((page) => page.cards.filter(hasRows));
  if (cards.length === 0) throw new AppError('CARD_WITHOUT_ROWS', { detail: NO_ROWS });
  const known = new Map<string, Promise<ChartFile & { ignoredFilters: string[] }>>();

  async function fileOf(card: CardRecord) {
    const { filters, principal, timezone, queryMs = MAX_QUERY_MS } = command;
    const { applied, ignoredFilters } = await appliedFilters(deps, dashboard, card, {
      filters: [...filters],
      principal,
    });
    const file = await readChartFile(deps, {
      principal,
      query: queryOf(card),
      filters: applied,
      timezone: cardTimezone(card, { timezone, dashboard: dashboard.timezone }),
      timeoutMs: Math.max(100, Math.min(queryMs, leftMs() - WRITING_MS)),
      maxRows: MAX_EXPORTED_ROWS[format],
      ...(format === 'csv' && { truncationNote: truncationNoteOf(format) }),
    });
    return { ...file, ignoredFilters };
  }

  const sheets = new Map<string, CardSheet>();
  await inParallel(CARDS_AT_ONCE, cards, async (card) => {
    const key = JSON.stringify([queryOf(card), filtersFor(dashboard, card, { filters: [...command.filters] })]);
    const file = known.get(key) ?? fileOf(card);
    known.set(key, file);
    try {
      const { content, truncated, asOf, timezone, ignoredFilters, ...read } = await file;
      const columns = withLookFormats(read.columns, card.chartSpec);
      const csv = async () =>
        Buffer.isBuffer(content) ? Readable.from([content]) : deps.objects.readStream(content.key);
      sheets.set(card.id, { title: card.title, columns, csv, truncated, asOf, timezone, ignoredFilters, content });
    } catch (error) {
      sheets.set(card.id, {
        title: card.title,
        columns: [],
        csv: undefined,
        truncated: false,
        problem: problemOf(error, command),
      });
    }
  });
  return cards.map(({ id }) => sheets.get(id)!);
}

const NO_ROWS =
  'None of the cards has rows. Add a card with a chart or a saved query, or export to `pdf`, `pptx` or `docx`.';

/** The message that the reader may see. Invalid values of the request fail the whole export. */
export function problemOf(error: unknown, { onError }: Pick<ExportContext['command'], 'onError'>): string {
  if (!(error instanceof AppError)) {
    onError(error);
    return 'The card cannot be read because of an internal error. Try again later.';
  }
  if (error.code === 'VALIDATION_FAILED') throw error;
  return readableMessage(error);
}
