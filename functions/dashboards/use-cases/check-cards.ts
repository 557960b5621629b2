import type { CardRecord, DashboardGateReason } from '../../../shared/domains/dashboards/index.ts';
import type { CheckCards } from './context.ts';

/** Kinds of sources of charts, by the name of their records. */
const SOURCE_ENTITIES = {
  model: 'model',
  savedQuery: 'saved-query',
  dataset: 'dataset',
  metric: 'metric',
} as const;
export type SourceEntity = (typeof SOURCE_ENTITIES)[keyof typeof SOURCE_ENTITIES];

/** Those of the ids that records of the kind have. */
export type KnownIds = (workspaceId: string, entity: SourceEntity, ids: readonly string[]) => Promise<Set<string>>;

interface Source {
  entity: SourceEntity;
  id: string;
}

/** Why cards cannot show anything: they are empty, or what they show is gone. */
export const cardChecks =
  (known: KnownIds): CheckCards =>
  async ({ workspaceId }, cards) => {
    const sources = cards.flatMap(sourcesOf);
    const byEntity = Map.groupBy(sources, ({ entity }) => entity);
    const found = await Promise.all(
      [...byEntity].map(async ([entity, some]) => {
        const ids = await known(workspaceId, entity, [...new Set(some.map(({ id }) => id))]);
        return [...ids].map((id) => `${entity}#${id}`);
      }),
    );
    const existing = new Set(found.flat());
    return cards.flatMap((card) => reasonOf(card, existing) ?? []);
  };

function sourcesOf(card: CardRecord): Source[] {
  const chart = chartSource(card);
  return [
    ...(card.savedQueryId === null ? [] : [{ entity: 'saved-query' as const, id: card.savedQueryId }]),
    ...(chart ? [chart] : []),
  ];
}

function chartSource({ chartSpec }: CardRecord): Source | undefined {
  const source = (chartSpec as { query?: { source?: { kind?: string; id?: string } } } | null)?.query?.source;
  const entity = SOURCE_ENTITIES[source?.kind as keyof typeof SOURCE_ENTITIES];
  return entity && typeof source?.id === 'string' ? { entity, id: source.id } : undefined;
}

function reasonOf(card: CardRecord, existing: ReadonlySet<string>): DashboardGateReason | undefined {
  const reason = (code: DashboardGateReason['code'], message: string) => ({
    code,
    message,
    cardId: card.id,
    cardTitle: card.title,
  });
  const missing = missingContent(card);
  if (missing) return reason('CARD_EMPTY', `The card has no ${missing}.`);
  if (card.savedQueryId !== null && !existing.has(`saved-query#${card.savedQueryId}`))
    return reason('SAVED_QUERY_MISSING', 'The saved query of the card does not exist any more.');
  const source = chartSource(card);
  if (source && !existing.has(`${source.entity}#${source.id}`))
    return reason(
      'SOURCE_MISSING',
      `The ${source.entity.replace('-', ' ')} that the chart asks does not exist any more.`,
    );
  return undefined;
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
