import type { CardRecord, DashboardGateReason } from '../../../shared/domains/dashboards/index.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { inParallel } from '../../../shared/platform/concurrency/in-parallel.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { ERRORS } from '../../../shared/platform/errors/catalogue.ts';
import type { CheckCards } from './context.ts';

const CHECKS_AT_ONCE = 8;

export interface CardCheckDeps {
  /** Throws `CHART_SPEC_INVALID` or the not-found error of the source. */
  checkChart(principal: Principal, spec: NonNullable<CardRecord['chartSpec']>): Promise<void>;
  /** Those of the saved queries that exist. */
  savedQueries(workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Finds what is wrong with the data that a card shows. */
  quality(workspaceId: string): Promise<(card: CardRecord) => Promise<string | undefined>>;
}

/** Why cards should not be published: they are empty, what they show is gone or wrong, or their chart does not fit it any more. */
export const cardChecks =
  (deps: CardCheckDeps): CheckCards =>
  async (principal, cards) => {
    const queryIds = new Set(cards.flatMap(({ savedQueryId }) => savedQueryId ?? []));
    const queries = queryIds.size === 0 ? queryIds : await deps.savedQueries(principal.workspaceId, [...queryIds]);
    const qualityOf = await deps.quality(principal.workspaceId);
    const reasons = new Map<string, Reason>();
    await inParallel(CHECKS_AT_ONCE, cards, async (card) => {
      const reason = (await reasonOf(deps, principal, card, queries)) ?? lowQuality(await qualityOf(card));
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

async function reasonOf(
  deps: CardCheckDeps,
  principal: Principal,
  card: CardRecord,
  queries: ReadonlySet<string>,
): Promise<Reason | undefined> {
  const missing = missingContent(card);
  if (missing) return { code: 'CARD_EMPTY', message: `The card has no ${missing}.` };
  if (card.savedQueryId !== null && !queries.has(card.savedQueryId))
    return { code: 'SAVED_QUERY_MISSING', message: 'The saved query of the card does not exist any more.' };
  if (card.chartSpec === null) return undefined;
  try {
    await deps.checkChart(principal, card.chartSpec);
    return undefined;
  } catch (error) {
    return chartReason(error);
  }
}

/** Errors that say nothing about the chart, such as a busy service, are thrown on. */
function chartReason(error: unknown): Reason {
  if (!(error instanceof AppError)) throw error;
  const [kind] = ERRORS[error.code];
  if (kind === 'notFound') return { code: 'SOURCE_MISSING', message: error.message };
  if (error.code !== 'CHART_SPEC_INVALID') throw error;
  const [issue] = error.errors;
  return { code: error.code, message: issue ? `${issue.pointer} ${issue.message}` : error.message };
}

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
