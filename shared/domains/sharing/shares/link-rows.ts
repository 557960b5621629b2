import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { errorKind } from '../../../platform/errors/catalogue.ts';
import {
  appliedFilters,
  type CardFilter,
  type CardRows,
  cardOf,
  cardTimezone,
  fieldsOf,
  hasRows,
  namedCard,
  pageOfChoices,
  queryOf,
  withMapWarnings,
} from '../../boards/cards/index.ts';
import {
  asSource,
  type ChartDeps,
  type ChartRows,
  type ChartSpec,
  isProtectedSource,
  namedField,
  type ProtectedDeps,
  protectedReads,
  type RunFilter,
  readChart,
} from '../../boards/charts/index.ts';
import type { CardRecord } from '../../boards/dashboards/index.ts';
import type { BlockCard } from '../../stories/live-blocks/index.ts';
import { type KeptBlock, readKept, type SnapshotStore, storedRows } from '../../stories/snapshots/index.ts';
import type { LinkParts, SharedBlock } from './link-content.ts';
import { type AskedValues, askedValues, assertNameable } from './link-filters.ts';
import type { LinkQuota } from './link-quotas.ts';
import type { LinkReader } from './records.ts';
import { MAX_VALUES, valuesIn } from './values-in.ts';

export interface LinkRowsDeps extends ChartDeps {
  queryQuota: LinkQuota;
  snapshots: SnapshotStore;
}

export interface LinkReading {
  cardId: string;
  filters: readonly CardFilter[];
  limit?: number | undefined;
  timezone?: string | undefined;
  /** Returns the values of a field instead of the rows. */
  distinct?: DistinctReading | undefined;
}

interface DistinctReading {
  pointer: string;
  name: string;
  search?: string | undefined;
  offset?: number | undefined;
}

const TIMEOUT_MS = 25_000;
const UNREADABLE = 'The rows of this card cannot be read. Ask the sender of the link about it.';

/**
 * The rows of a card for the reader of a link: those of its attributes, with its locked filters. Throws
 * `DASHBOARD_CARD_NOT_FOUND`, `CARD_WITHOUT_ROWS`, `RLS_SHARE_REQUIRED`, `SHARE_QUERIES_SPENT`, `VALIDATION_FAILED` for
 * filters, and `CARD_UNREADABLE` for everything else: the reasons may contain names and statements that readers of a
 * link must not see.
 */
export async function linkRows(
  deps: LinkRowsDeps,
  parts: LinkParts,
  reader: LinkReader,
  reading: LinkReading,
): Promise<CardRows> {
  // A live block has the filters of the dashboard of its card.
  const block: SharedBlock = parts.blocks.get(reading.cardId) ?? { card: cardOf(parts, reading.cardId), parts };
  const { card, parts: own, kept } = block;
  const query = queryOf(card);
  assertNameable(own, card, reading.filters);
  const asked = reading.distinct && askedValues(own, card, reading.distinct);
  if (parts.withheld.has(reading.cardId)) throw new AppError('CARD_UNREADABLE', { detail: UNREADABLE });
  const opened = { card, own, query, asked };
  try {
    if (kept === undefined) {
      await assertServed(deps, reader, query);
      return await rowsOfLink(deps, reader, opened, reading);
    }
    if (kept === null) throw new AppError('STORY_BLOCK_NOT_KEPT');
    return await keptRows(deps, reader, { ...opened, kept }, reading);
  } catch (cause) {
    throw showError(cause);
  }
}

/** Without attributes, a link serves no protected tables at all. Throws `RLS_SHARE_REQUIRED`. */
async function assertServed(
  deps: ProtectedDeps,
  { workspaceId, hasAttributes }: LinkReader,
  { source }: ChartSpec['query'],
): Promise<void> {
  if (!hasAttributes && (await isProtectedSource(deps, workspaceId, source))) throw new AppError('RLS_SHARE_REQUIRED');
}

interface Opened {
  card: CardRecord;
  own: BlockCard['parts'];
  query: ChartSpec['query'];
  /** The values that are wanted instead of the rows. */
  asked: AskedValues | undefined;
}

async function rowsOfLink(
  deps: LinkRowsDeps,
  reader: LinkReader,
  { card, own, query, asked }: Opened,
  { filters, limit, timezone: wanted, distinct }: LinkReading,
): Promise<CardRows> {
  const { principal } = reader;
  const locked = await lockedFor(deps, reader, query);
  const chosen = { principal, filters: [...filters], selection: undefined };
  const { applied, ignoredFilters } = await appliedFilters(deps, own, card, chosen);
  const field = asked && fieldAsked(query, asked);
  const others = applied.filter(({ fieldId }) => fieldId !== field);
  const timezone = cardTimezone(card, { timezone: wanted, dashboard: own.timezone });
  const limitedDeps = { ...deps, admit: () => deps.queryQuota.take(reader) };
  const read = (of: ChartSpec['query'], rowLimit?: number) =>
    readChart(limitedDeps, {
      principal,
      query: of,
      timezone,
      rowLimit,
      filters: [...others, ...locked],
      timeoutMs: TIMEOUT_MS,
    });
  if (!asked) return withMapWarnings(card, { ...(await read(query, limit)), ignoredFilters });
  const page = { search: distinct?.search, offset: distinct?.offset ?? 0, limit: limit ?? MAX_VALUES };
  if (!('field' in asked)) return { ...valuesIn(await read(query), asked.dimension, page), ignoredFilters };
  const known = (await fieldsOf(deps, principal, query))?.get(asked.field);
  if (known?.choices) {
    const { values, truncated } = pageOfChoices(known.choices, page);
    const columns = [{ name: 'value', type: known.type, role: 'dimension' as const, format: null }];
    const rowsJson = JSON.stringify(values.map((value) => [value]));
    return { ...(await read(query, 1)), columns, rowsJson, rowCount: values.length, truncated, ignoredFilters };
  }
  const search = known?.type === 'string' ? page.search : undefined;
  const values = await read(valuesOf(query, asked.field, search), page.offset + page.limit);
  return { ...withoutFirst(values, page.offset), ignoredFilters };
}

/**
 * The rows of when the story was published, under the rights that the link has now. Readers of links learn no names of
 * members.
 */
async function keptRows(
  deps: LinkRowsDeps,
  reader: LinkReader,
  { kept, ...opened }: Opened & { kept: KeptBlock },
  reading: LinkReading,
): Promise<CardRows> {
  const { filters, limit, timezone } = reading;
  const isNarrowed = reader.lockedFilters.length > 0 || opened.asked !== undefined || limit !== undefined;
  const { answer } = await readKept(deps, reader.principal, kept, {
    check: async (asThen, seesAll) => {
      await assertServed(asThen, reader, opened.query);
      if (!reader.hasAttributes && !seesAll) throw new AppError('RLS_SHARE_REQUIRED');
    },
    asksMore: isNarrowed || filters.length > 0 || timezone !== undefined,
    again: (pinned) => rowsOfLink(pinned, reader, opened, reading),
    isStoredEnough: !isNarrowed,
    stored: (rows: CardRows, { seesAll }) =>
      withMapWarnings(opened.card, storedRows(rows, filters, seesAll ? undefined : 'their publisher')),
  });
  return answer;
}

const fieldAsked = ({ dimensions = [] }: ChartSpec['query'], asked: AskedValues): string | undefined =>
  'field' in asked ? asked.field : (dimensions[asked.dimension]?.fieldId ?? dimensions[asked.dimension]?.column);

/** A card that cannot be filtered as the link requires is not shown at all. Throws `CARD_UNREADABLE`. */
async function lockedFor(
  deps: LinkRowsDeps,
  { lockedFilters, principal }: LinkReader,
  query: ChartSpec['query'],
): Promise<readonly RunFilter[]> {
  if (lockedFilters.length === 0) return [];
  const fields = await fieldsOf(deps, principal, query);
  const isLockable = (fieldId: string) => fields?.get(fieldId)?.isColumn ?? fields?.has(fieldId);
  if (!lockedFilters.every(({ fieldId }) => isLockable(fieldId)))
    throw new AppError('CARD_UNREADABLE', { detail: UNREADABLE });
  return lockedFilters.map((filter) => ({ ...filter, pointer: '/lockedFilters', isOnRows: true }));
}

/** The values of the field of a filter; the conditions of the card hold for them too. */
function valuesOf(query: ChartSpec['query'], field: string, search: string | undefined): ChartSpec['query'] {
  const { source, filters = [] } = query;
  const named = namedField(query, field);
  return {
    ...asSource(query),
    dimensions: [{ ...named, label: 'value' }],
    filters: [
      ...filters,
      { ...named, op: 'not_null' },
      ...(search === undefined ? [] : [{ ...named, op: 'contains' as const, values: [search], ignoreCase: true }]),
    ],
    sort: [{ column: 'value' }],
    // Rows without a match have no value either.
    ...(source.kind === 'blend' && { resultFilters: [{ column: 'value', op: 'not_null' as const }] }),
  };
}

function withoutFirst(rows: ChartRows, count: number): ChartRows {
  if (count === 0) return rows;
  const left = (JSON.parse(rows.rowsJson) as unknown[][]).slice(count);
  return { ...rows, rowsJson: JSON.stringify(left), rowCount: left.length };
}

/** Issues of the card and of the link are not those of the reader. */
function showError(cause: unknown): unknown {
  if (!(cause instanceof AppError)) return cause;
  if (
    cause.code === 'RLS_SHARE_REQUIRED' ||
    cause.code === 'SHARE_QUERIES_SPENT' ||
    errorKind(cause.code) === 'unavailable'
  )
    return cause;
  const isOwn = cause.errors.every(({ pointer }) => pointer === '/timezone' || pointer.startsWith('/filters/'));
  if (cause.code === 'VALIDATION_FAILED' && cause.errors.length > 0 && isOwn) return cause;
  return new AppError('CARD_UNREADABLE', { detail: UNREADABLE, cause });
}

/** The cards that a link without attributes could not show, as issues of the content that it would open. */
export async function protectedCards(
  deps: ProtectedDeps,
  { workspaceId, content }: Pick<LinkReader, 'workspaceId' | 'content'>,
  cards: readonly CardRecord[],
): Promise<Issue[]> {
  const kind = content.type === 'dashboard' ? 'card' : 'block';
  const found = await Promise.all(
    cards.filter(hasRows).map(async (card) => {
      const tables = await protectedReads(deps, workspaceId, queryOf(card).source);
      const message = `has ${namedCard(card, kind)}, which reads the protected table${tables.length > 1 ? 's' : ''} ${tables.join(', ')}`;
      return tables.length > 0 ? [{ pointer: '/contentId', code: 'ROW_RIGHTS', message }] : [];
    }),
  );
  return found.flat();
}
