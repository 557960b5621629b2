import { AppError, type Issue } from '../../../../platform/errors/app-error.ts';
import { quoteName, suggestion } from '../../../../platform/validation/names.ts';
import { canonicalTimezone } from '../../../semantics/queries/index.ts';
import { filterIssues, jsonTextIssues, partIdIssues, positionIssues } from '../issues.ts';
import type { DashboardFile } from './schema.ts';

/** Zones that `Intl` knows. */
function timezoneIssues(timezone: string | null): Issue[] {
  try {
    if (timezone !== null) canonicalTimezone(timezone);
    return [];
  } catch (error) {
    if (error instanceof AppError) return [...error.errors];
    throw error;
  }
}

/** What is wrong with a file that has the right shape, apart from its sources. */
export function fileIssues(file: DashboardFile): Issue[] {
  const { layout = null, theme = null, filterState = null, pages = [], cards = [], filters = [] } = file;
  const pageIds = pages.map(({ id }) => id);
  const cardIds = new Set(cards.map(({ id }) => id));
  return [
    ...jsonTextIssues({ layout, theme, filterState }),
    ...timezoneIssues(file.timezone ?? null),
    ...repeatedIds('/pages', pageIds),
    ...pageIds.flatMap((id, index) => partIdIssues(id, `/pages/${index}/id`)),
    ...repeatedIds(
      '/cards',
      cards.map(({ id }) => id),
    ),
    ...cards.flatMap(({ id, position, pageId }, index) => [
      ...partIdIssues(id, `/cards/${index}/id`),
      ...positionIssues(position, `/cards/${index}/position`),
      ...pageIssues(pageId, pageIds, `/cards/${index}/pageId`),
    ]),
    ...repeatedIds(
      '/filters',
      filters.map(({ id }) => id),
    ),
    ...filters.flatMap(({ filterType, defaultValue = null, linkedCardIds = [] }, index) =>
      filterIssues({ filterType, defaultValue, linkedCardIds }, cardIds).map((issue) => ({
        ...issue,
        pointer: `/filters/${index}${issue.pointer}`,
      })),
    ),
    ...repeatedIds(
      '/sources',
      (file.sources ?? []).map(({ id }) => id),
    ),
  ];
}

function repeatedIds(list: string, ids: readonly (string | undefined)[]): Issue[] {
  return ids.flatMap((id, index): Issue[] => {
    const first = ids.indexOf(id);
    if (id === undefined || first === index) return [];
    return [{ pointer: `${list}/${index}/id`, code: 'DUPLICATE', message: `is already the id of ${list}/${first}` }];
  });
}

function pageIssues(pageId: string | null | undefined, pageIds: readonly string[], pointer: string): Issue[] {
  if (pageId == null || pageIds.includes(pageId)) return [];
  const message = `the file has no page ${quoteName(pageId)}${suggestion(pageId, pageIds)}`;
  return [{ pointer, code: 'UNKNOWN_PAGE', message }];
}
