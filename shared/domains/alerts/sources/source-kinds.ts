import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { cardOf, queryOf, rowsOf, seenParts } from '../../boards/cards/index.ts';
import { isVolatile } from '../../semantics/queries/index.ts';
import type { FieldCondition, SourceKind } from '../conditions/index.ts';
import {
  type ChartQuery,
  datasetsOf,
  type FetchedRows,
  fetchChart,
  queryOfField,
  readsOfChart,
} from './chart-source.ts';
import type { OpenedCondition, SourceReads } from './opened-condition.ts';
import type { AlertOpenDeps, AlertReadDeps } from './reading-deps.ts';

/** A source as one person sees it. */
export interface OpenedSource extends Pick<OpenedCondition, 'datasetIds' | 'isRelative' | 'differsByPerson' | 'reads'> {
  /** What is asked; a part of the key of the condition. */
  asked: unknown;
  readAnswer(deps: AlertReadDeps, principal: Principal): Promise<FetchedRows>;
}

/** A kind of source that conditions on columns read. */
export interface AlertSourceKind {
  /** Throws the not-found error of the source, also if the person may not see it. */
  open(
    deps: AlertOpenDeps,
    principal: Principal,
    condition: FieldCondition,
    rule: { timezone: string },
  ): Promise<OpenedSource>;
}

/** Operators of filters that depend on the time. */
const RELATIVE = /"op":"(last_n|this|prev)"|TODAY|NOW/;

const CHART: AlertSourceKind = {
  async open(deps, principal, condition, { timezone }) {
    const query = queryOfField(condition);
    const reads = await readsOfChart(deps, principal, query.source);
    const edition = await editionOf(deps, principal, query.source);
    return {
      ...(await common(deps, principal, query, reads)),
      asked: { query, timezone, edition },
      differsByPerson: false,
      readAnswer: (reading, reader) => fetchChart(reading, reader, query, { timezone }),
    };
  },
};

const CARD: AlertSourceKind = {
  async open(deps, principal, { source }, { timezone }) {
    const dashboardId = source.dashboardId!;
    const parts = await seenParts(deps, { principal, id: dashboardId });
    const card = cardOf(parts, source.id);
    const query = queryOf(card);
    const reads = await readsOfChart(deps, principal, query.source);
    const filters = source.filters ?? [];
    const edition = await editionOf(deps, principal, query.source);
    return {
      ...(await common(deps, principal, query, reads)),
      isRelative: RELATIVE.test(JSON.stringify([query, filters, parts.filters])) || query.source.kind === 'metric',
      asked: { query, filters, timezone, dashboardId, cardId: source.id, edition },
      differsByPerson: true,
      async readAnswer(reading, reader) {
        const wanted = { filters, timezone, principal: reader, timeoutMs: TIMEOUT_MS };
        const { columns, rowsJson, truncated } = await rowsOf(reading, parts, card, wanted);
        if (truncated) throw new AppError('ALERT_TOO_MANY_ROWS');
        return {
          columns: columns.map(({ name, type }) => ({ name, type })),
          rows: JSON.parse(rowsJson) as unknown[][],
        };
      },
    };
  },
};

const TIMEOUT_MS = 25_000;

async function common(
  deps: AlertOpenDeps,
  principal: Principal,
  query: ChartQuery,
  reads: readonly SourceReads[],
): Promise<Pick<OpenedSource, 'reads' | 'datasetIds' | 'isRelative'>> {
  const statements = reads.flatMap(({ statement }) => statement ?? []);
  return {
    reads,
    datasetIds: await datasetsOf(deps, principal.workspaceId, reads),
    isRelative:
      RELATIVE.test(JSON.stringify(query)) || statements.some((sql) => isVolatile({ sql, params: query.params ?? {} })),
  };
}

/** What counts the changes of the source: unchanged data is read again after them. */
async function editionOf(
  deps: AlertOpenDeps,
  { workspaceId }: Principal,
  { kind, id }: ChartQuery['source'],
): Promise<number | number[]> {
  const ofModel = async (modelId: string) => (await deps.definitions.read({ workspaceId, modelId })).model.edition ?? 0;
  if (kind === 'savedQuery') return (await deps.savedQueries.get(workspaceId, id))?.version ?? 0;
  if (kind === 'model') return ofModel(id);
  if (kind !== 'blend') return 0;
  const blend = await deps.blends.get(workspaceId, id);
  if (!blend) throw new AppError('BLEND_NOT_FOUND');
  return [blend.revision, await ofModel(blend.leftModelId), await ofModel(blend.rightModelId)];
}

/** Every kind of source, by its name in conditions. */
export const SOURCES: Readonly<Record<SourceKind, AlertSourceKind>> = {
  savedQuery: CHART,
  model: CHART,
  dataset: CHART,
  blend: CHART,
  card: CARD,
};
