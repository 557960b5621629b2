import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { hasRows } from '../../boards/cards/index.ts';
import type { DashboardRecord, DashboardVersions, Snapshot } from '../../boards/dashboards/index.ts';
import {
  type DataBlock,
  type GivenParameter,
  isDataBlock,
  lacksValue,
  parameterValues,
  type Report,
  type ReportParameter,
  type ReportRepository,
  reportParts,
} from '../../boards/reports/index.ts';
import type { LinkReader } from './records.ts';
import type { SharedContent } from './shared-content.ts';

export interface ContentDeps {
  dashboards: { get(workspaceId: string, id: string): Promise<DashboardRecord | undefined> };
  versions: Pick<DashboardVersions, 'read'>;
  reports: Pick<ReportRepository, 'read'>;
}

/** What a link opens, in the shape of a dashboard: the blocks of a report are cards below each other. */
export interface LinkParts
  extends Pick<Snapshot, 'name' | 'description' | 'theme' | 'timezone' | 'pages' | 'cards' | 'filters'> {
  parameters: readonly ReportParameter[];
  /** The cards whose required parameters have no value; reading them would show the rows of all values. */
  withheld: ReadonlySet<string>;
  /** The names of the parameters that change the rows of a card, by its id. */
  bound: ReadonlyMap<string, readonly string[]>;
}

type Place = Pick<LinkReader, 'workspaceId' | 'content'>;
type OpenDashboard = DashboardRecord & { published: NonNullable<DashboardRecord['published']> };
/** Links open nothing else. */
type IfPublished<T> = T | 'missing' | 'unpublished';

async function findDashboard({ dashboards }: ContentDeps, place: Place): Promise<IfPublished<OpenDashboard>> {
  const dashboard = await dashboards.get(place.workspaceId, place.content.id);
  if (!dashboard || dashboard.deletedAt !== null) return 'missing';
  const { isPublished, published } = dashboard;
  return isPublished && published !== null ? { ...dashboard, published } : 'unpublished';
}

async function findReport({ reports }: ContentDeps, place: Place): Promise<IfPublished<Report>> {
  const report = await reports.read(place.workspaceId, place.content.id);
  if (!report || report.deletedAt !== null) return 'missing';
  return report.isPublished ? report : 'unpublished';
}

const NOT_PUBLISHED = {
  dashboard: { missing: 'DASHBOARD_NOT_FOUND', unpublished: 'DASHBOARD_NOT_PUBLISHED' },
  report: { missing: 'REPORT_NOT_FOUND', unpublished: 'REPORT_NOT_PUBLISHED' },
} as const;

/** Throws `DASHBOARD_NOT_FOUND`, `DASHBOARD_NOT_PUBLISHED`, `REPORT_NOT_FOUND` and `REPORT_NOT_PUBLISHED`. */
export async function assertPublished(deps: ContentDeps, place: Place): Promise<void> {
  const { type } = place.content;
  const found = await (type === 'report' ? findReport(deps, place) : findDashboard(deps, place));
  if (typeof found === 'string') throw new AppError(NOT_PUBLISHED[type][found]);
}

/** What a link opens, as published. */
export type PublishedContent = { dashboard: OpenDashboard } | { report: Report };

/** Throws `SHARE_NOT_FOUND` if the content is deleted or withdrawn. */
export async function publishedContent(deps: ContentDeps, place: Place): Promise<PublishedContent> {
  if (place.content.type === 'report') {
    const report = await findReport(deps, place);
    if (typeof report !== 'string') return { report };
  } else {
    const dashboard = await findDashboard(deps, place);
    if (typeof dashboard !== 'string') return { dashboard };
  }
  throw new AppError('SHARE_NOT_FOUND');
}

/**
 * The published version, with the given values of the parameters of a report. Throws `VALIDATION_FAILED` for wrong
 * values.
 */
export async function partsOfContent(
  deps: Pick<ContentDeps, 'versions'>,
  content: PublishedContent,
  parameters: readonly GivenParameter[] = [],
): Promise<LinkParts> {
  if ('report' in content) return shownParts(content.report, parameters);
  if (parameters.length > 0) throw new AppError('VALIDATION_FAILED', { errors: [NO_PARAMETERS] });
  const { workspaceId, id: dashboardId, published } = content.dashboard;
  const version = await deps.versions.read({ workspaceId, dashboardId }, published.version);
  return { ...version, parameters: [], withheld: new Set(), bound: new Map() };
}

/** Both together. */
export const publishedParts = async (deps: ContentDeps, place: Place): Promise<LinkParts> =>
  partsOfContent(deps, await publishedContent(deps, place));

const NO_PARAMETERS: Issue = {
  pointer: '/parameters',
  code: 'CONFLICT',
  message: 'must be empty: only reports have parameters',
};

/**
 * The blocks of a report with the given values of its parameters. Throws `VALIDATION_FAILED` for wrong values, and for
 * values that `needed` lack.
 */
export function shownParts(
  report: Report,
  given: readonly GivenParameter[],
  needed: readonly DataBlock[] = [],
): LinkParts {
  const values = parameterValues(report, given, needed);
  const { pages, ...parts } = reportParts(report, values, false);
  const blocks = report.layout.blocks.filter(isDataBlock);
  const withheld = blocks.filter((block) => lacksValue(report, values, block));
  return {
    ...parts,
    theme: null,
    timezone: null,
    pages: pages.map((page, index) => ({ ...page, name: `Page ${index + 1}` })),
    parameters: report.parameters,
    withheld: new Set(withheld.map(({ id }) => id)),
    bound: new Map(
      blocks.map(({ id, bindings = [] }) => [id, [...new Set(bindings.map(({ parameter }) => parameter))]]),
    ),
  };
}

/**
 * What readers of the link see of the version. They do not see filters on locked fields, which have no effect for them.
 */
export function sharedContent(
  { name, description, theme, pages, cards, filters, parameters, bound }: LinkParts,
  { content, lockedFilters }: Pick<LinkReader, 'content' | 'lockedFilters'>,
): SharedContent {
  const locked = lockedFilters.map(({ fieldId }) => fieldId);
  return {
    contentType: content.type,
    title: name,
    description,
    theme,
    pages: pages.map(({ id, name: pageName, isHidden }) => ({ id, name: pageName, isHidden })),
    cards: cards.map((card) => ({
      id: card.id,
      cardType: card.cardType,
      title: card.title,
      description: card.description,
      position: card.position,
      chartSpec: lookOf(card),
      textContent: card.textContent,
      imageUrl: card.imageUrl,
      value: card.value,
      pageId: card.pageId,
      hasRows: hasRows(card),
      parameters: [...(bound.get(card.id) ?? [])],
    })),
    filters: filters
      .filter(({ fieldId }) => !locked.includes(fieldId))
      .map(({ id, fieldId, filterType, label, defaultValue, linkedCardIds }) => ({
        id,
        fieldId,
        filterType,
        label,
        defaultValue,
        linkedCardIds,
      })),
    parameters: [...parameters],
  };
}

function lookOf({ chartSpec }: Snapshot['cards'][number]): SharedContent['cards'][number]['chartSpec'] {
  if (!chartSpec) return null;
  const { query: _query, ...look } = chartSpec;
  return look;
}
