import type { ChartColumn } from '../../../../shared/data/charts/chart-columns.ts';
import { assertDrawable } from '../../../../shared/domains/boards/charts/index.ts';
import type { CardRecord, DashboardGateReason } from '../../../../shared/domains/boards/dashboards/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { ERRORS } from '../../../../shared/platform/errors/catalogue.ts';
import type { CheckCards } from './context.ts';

const CHECKS_AT_ONCE = 8;

export interface CardCheckDeps {
  /**
   * Opens a check of charts against the columns that exist now. Throws `CHART_SPEC_INVALID` or the not-found error of
   * the source.
   */
  chartCheck(): (principal: Principal, spec: NonNullable<CardRecord['chartSpec']>) => Promise<void>;
  /** The columns of a saved query; undefined where only running it can tell. Throws the errors of its statement. */
  queryColumns(principal: Principal, id: string): Promise<readonly ChartColumn[] | undefined>;
  /** Those of the saved queries that exist. */
  savedQueries(workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Finds what is wrong with the data that a card shows. */
  quality(workspaceId: string): Promise<(card: CardRecord) => Promise<string | undefined>>;
}

/**
 * Why cards should not be published: they are empty, what they show is gone or wrong, or their chart does not fit it
 * any more.
 */
export const cardChecks =
  (deps: CardCheckDeps): CheckCards =>
  async (principal, cards) => {
    const queryIds = new Set(cards.flatMap(({ savedQueryId }) => savedQueryId ?? []));
    const queries = queryIds.size === 0 ? queryIds : await deps.savedQueries(principal.workspaceId, [...queryIds]);
    const columnsOf = once((id) => deps.queryColumns(principal, id));
    const check = { chart: deps.chartCheck(), columnsOf };
    const qualityOf = await deps.quality(principal.workspaceId);
    const reasons = new Map<string, Reason>();
    await inParallel(CHECKS_AT_ONCE, cards, async (card) => {
      const reason = (await reasonOf(check, principal, card, queries)) ?? lowQuality(await qualityOf(card));
      if (reason) reasons.set(card.id, reason);
    });
    return cards.flatMap(({ id: cardId, title: cardTitle }) => {
      const reason = reasons.get(cardId);
      return reason ? [{ ...reason, cardId, cardTitle }] : [];
    });
  };

const lowQuality = (message: string | undefined): Reason | undefined =>
  message === undefined ? undefined : { code: 'DATA_QUALITY_LOW', message };

type Reason = Pick<DashboardGateReason, 'code' | 'message'>;

interface Check {
  chart: ReturnType<CardCheckDeps['chartCheck']>;
  columnsOf(queryId: string): ReturnType<CardCheckDeps['queryColumns']>;
}

/** Many cards may show one query. */
function once<T>(read: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (id) => {
    const reading = known.get(id) ?? read(id);
    known.set(id, reading);
    return reading;
  };
}

async function reasonOf(
  check: Check,
  principal: Principal,
  card: CardRecord,
  queries: ReadonlySet<string>,
): Promise<Reason | undefined> {
  const missing = missingContent(card);
  if (missing) return { code: 'CARD_EMPTY', message: `The card has no ${missing}.` };
  if (card.savedQueryId !== null && !queries.has(card.savedQueryId))
    return { code: 'SAVED_QUERY_MISSING', message: 'The saved query of the card does not exist any more.' };
  const { chartSpec } = card;
  try {
    if (chartSpec) await check.chart(principal, chartSpec);
  } catch (error) {
    return chartReason(error);
  }
  const source = chartSpec?.query.source ?? { kind: 'savedQuery', id: card.savedQueryId };
  return source.kind === 'savedQuery' && source.id !== null ? queryReason(check, chartSpec, source.id) : undefined;
}

/** Whether the statement still fits the columns of its datasets, and the chart those of the statement. */
async function queryReason(check: Check, chartSpec: CardRecord['chartSpec'], id: string): Promise<Reason | undefined> {
  let columns: readonly ChartColumn[] | undefined;
  try {
    columns = await check.columnsOf(id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (!STATEMENT_CODES.has(error.code)) return chartReason(error);
    return { code: 'SAVED_QUERY_INVALID', message: error.errors[0]?.message ?? error.message };
  }
  try {
    if (chartSpec && columns) assertDrawable(chartSpec, columns);
    return undefined;
  } catch (error) {
    return chartReason(error);
  }
}

const STATEMENT_CODES: ReadonlySet<string> = new Set(['SQL_PARSE', 'SQL_NOT_READ_ONLY', 'SQL_ERROR']);

/** Errors that say nothing about the chart, such as a busy service, are thrown on. */
function chartReason(error: unknown): Reason {
  if (!(error instanceof AppError)) throw error;
  const [kind] = ERRORS[error.code];
  if (kind === 'notFound') return { code: 'SOURCE_MISSING', message: error.message };
  // The model or blend has changed so that it no longer answers the chart.
  if (UNANSWERED.has(error.code)) return { code: 'CHART_SPEC_INVALID', message: error.message };
  if (error.code !== 'CHART_SPEC_INVALID') throw error;
  const [issue] = error.errors;
  return { code: error.code, message: issue ? `${issue.pointer} ${issue.message}` : error.message };
}

const UNANSWERED: ReadonlySet<string> = new Set(['BLEND_STALE', 'BLEND_NOT_ADDITIVE', 'QUESTION_UNANSWERABLE']);

/** What a card of its type needs and does not have. */
function missingContent({ cardType, textContent, imageUrl, chartSpec, savedQueryId, value }: CardRecord) {
  switch (cardType) {
    case 'divider':
      return undefined;
    case 'text':
      return textContent === null ? '`textContent`' : undefined;
    case 'image':
      return imageUrl === null ? '`imageUrl`' : undefined;
    default:
      return chartSpec === null && savedQueryId === null && value === null
        ? '`chartSpec` or `savedQueryId`'
        : undefined;
  }
}
