import { conditionsIn } from '../../../semantics/questions/index.ts';
import type { DashboardBody } from '../records.ts';
import type { CardContent } from '../schemas.ts';
import type { FileSourceKind } from './schema.ts';

/** Something outside the dashboard that it refers to, and where. */
export interface SourceReference {
  kind: FileSourceKind;
  id: string;
  pointer: string;
}

interface Referring {
  theme?: DashboardBody['theme'] | undefined;
  cards?: readonly Partial<Pick<CardContent, 'chartSpec' | 'savedQueryId'>>[] | undefined;
  filters?: readonly { fieldId: string }[] | undefined;
}

/** The sources of cards and the theme, one reference per place. */
export function sourceReferences({ theme, cards = [] }: Referring): SourceReference[] {
  const themeId = themeIdOf(theme);
  return [
    ...(themeId === undefined ? [] : [{ kind: 'theme' as const, id: themeId, pointer: '/theme' }]),
    ...cards.flatMap(({ chartSpec, savedQueryId }, index): SourceReference[] => {
      const source = chartSpec?.query.source;
      const card = `/cards/${index}`;
      return [
        ...(savedQueryId ? [{ kind: 'savedQuery' as const, id: savedQueryId, pointer: `${card}/savedQueryId` }] : []),
        ...(source ? [{ ...source, pointer: `${card}/chartSpec/query/source/id` }] : []),
      ];
    }),
  ];
}

/** The ids of fields and measures that queries and filters name. */
export function namedParts({ cards = [], filters = [] }: Referring): Set<string> {
  const queries = cards.flatMap(({ chartSpec }) => chartSpec?.query ?? []);
  const inQueries = queries.flatMap(({ dimensions = [], measures = [], filters: conditions = [], bindings = [] }) => [
    ...[...dimensions, ...measures, ...conditionsIn(conditions), ...bindings].flatMap(({ fieldId }) => fieldId ?? []),
    ...measures.flatMap(({ measureId }) => measureId ?? []),
  ]);
  return new Set([...inQueries, ...filters.map(({ fieldId }) => fieldId)]);
}

/** The value with other ids where it names sources, fields and measures; what the map does not have stays. */
export function withOtherIds<T extends Referring>(file: T, idOf: ReadonlyMap<string, string>): T {
  if (idOf.size === 0) return file;
  const other = <V extends string | null | undefined>(id: V): V => ((id && idOf.get(id)) ?? id) as V;
  const themeId = themeIdOf(file.theme);
  const hasOtherTheme = themeId !== undefined && idOf.has(themeId);
  return {
    ...file,
    ...(hasOtherTheme ? { theme: file.theme!.replace(themeId, idOf.get(themeId)!) } : {}),
    ...(file.cards && {
      cards: file.cards.map((card) => ({
        ...card,
        ...(card.savedQueryId ? { savedQueryId: other(card.savedQueryId) } : {}),
        ...(card.chartSpec ? { chartSpec: { ...card.chartSpec, query: otherQuery(card.chartSpec.query, other) } } : {}),
      })),
    }),
    ...(file.filters && { filters: file.filters.map((each) => ({ ...each, fieldId: other(each.fieldId) })) }),
  };
}

type Query = NonNullable<CardContent['chartSpec']>['query'];

function otherQuery(query: Query, other: <V extends string | null | undefined>(id: V) => V): Query {
  const renamed = <N extends { fieldId?: string; measureId?: string }>(named: N): N => ({
    ...named,
    ...(named.fieldId === undefined ? {} : { fieldId: other(named.fieldId) }),
    ...(named.measureId === undefined ? {} : { measureId: other(named.measureId) }),
  });
  const { source, dimensions, measures, filters, bindings } = query;
  return {
    ...query,
    source: { ...source, id: other(source.id) },
    ...(dimensions && { dimensions: dimensions.map(renamed) }),
    ...(measures && { measures: measures.map(renamed) }),
    ...(filters && {
      filters: filters.map(({ anyOf, ...each }) => ({ ...renamed(each), ...(anyOf && { anyOf: anyOf.map(renamed) }) })),
    }),
    ...(bindings && { bindings: bindings.map((each) => ({ ...each, fieldId: other(each.fieldId) })) }),
  };
}

/** The theme that the text of a dashboard names; undefined if it names none. */
function themeIdOf(theme: string | null | undefined): string | undefined {
  if (!theme) return undefined;
  try {
    const { themeId } = JSON.parse(theme) as { themeId?: unknown };
    return typeof themeId === 'string' ? themeId : undefined;
  } catch {
    return undefined;
  }
}
