import { AppError } from '../../platform/errors/app-error.ts';
import { hasRows } from '../cards/index.ts';
import type { DashboardRecord, DashboardVersions, Snapshot } from '../dashboards/index.ts';
import {
  type GivenParameter,
  isDataBlock,
  lacksValue,
  parameterValues,
  type Report,
  type ReportParameter,
  type ReportRepository,
  reportParts,
} from '../reports/index.ts';
import type { LinkReader } from './records.ts';
import type { LinkContentType } from './schemas.ts';
import type { SharedContent } from './shared-content.ts';

export interface ContentDeps {
  dashboards: { get(workspaceId: string, id: string): Promise<DashboardRecord | undefined> };
  versions: Pick<DashboardVersions, 'read'>;
  reports: Pick<ReportRepository, 'read'>;
}

/** What a link opens, in the shape of a dashboard: the blocks of a report are cards below each other. */
export interface LinkParts extends Pick<Snapshot, 'name' | 'description' | 'theme' | 'pages' | 'cards' | 'filters'> {
  parameters: readonly ReportParameter[];
  /** The cards whose required parameters have no value; reading them would show the rows of all values. */
  withheld: ReadonlySet<string>;
}

/** The published version that a link opens. Throws `SHARE_NOT_FOUND` if the content is deleted or withdrawn. */
export async function publishedParts(
  deps: ContentDeps,
  { workspaceId, content }: Pick<LinkReader, 'workspaceId' | 'content'>,
): Promise<LinkParts> {
  if (content.type === 'report') return shownParts(await publishedReport(deps, { workspaceId, content }), []);
  const record = await deps.dashboards.get(workspaceId, content.id);
  if (!isOpen(record)) throw new AppError('SHARE_NOT_FOUND');
  const version = await deps.versions.read({ workspaceId, dashboardId: content.id }, record.published.version);
  return { ...version, parameters: [], withheld: new Set() };
}

/** The report that a link opens. Throws `SHARE_NOT_FOUND`. */
export async function publishedReport(
  { reports }: Pick<ContentDeps, 'reports'>,
  { workspaceId, content }: Pick<LinkReader, 'workspaceId' | 'content'>,
): Promise<Report> {
  const report = content.type === 'report' ? await reports.read(workspaceId, content.id) : undefined;
  if (!report || !isOpenReport(report)) throw new AppError('SHARE_NOT_FOUND');
  return report;
}

/** The blocks of a report with the given values of its parameters. Throws `VALIDATION_FAILED` for wrong values. */
export function shownParts(report: Report, given: readonly GivenParameter[]): LinkParts {
  const values = parameterValues(report, given, []);
  const { pages, ...parts } = reportParts(report, values);
  const withheld = report.layout.blocks.filter((block) => isDataBlock(block) && lacksValue(report, values, block));
  return {
    ...parts,
    theme: null,
    pages: pages.map((page, index) => ({ ...page, name: `Page ${index + 1}` })),
    parameters: report.parameters,
    withheld: new Set(withheld.map(({ id }) => id)),
  };
}

type OpenDashboard = DashboardRecord & { published: NonNullable<DashboardRecord['published']> };

/** Whether readers of links may see the dashboard. */
const isOpen = (record: DashboardRecord | undefined): record is OpenDashboard =>
  record?.isPublished === true && record.deletedAt === null && record.published !== null;

const isOpenReport = ({ isPublished, deletedAt }: Report): boolean => isPublished && deletedAt === null;

/**
 * What a new link would open. Throws `DASHBOARD_NOT_FOUND`, `DASHBOARD_NOT_PUBLISHED`, `REPORT_NOT_FOUND` and `REPORT_NOT_PUBLISHED`.
 */
export async function shareableParts(
  deps: ContentDeps,
  workspaceId: string,
  content: { type: LinkContentType; id: string },
): Promise<LinkParts> {
  if (content.type === 'report') {
    const report = await deps.reports.read(workspaceId, content.id);
    if (!report || report.deletedAt !== null) throw new AppError('REPORT_NOT_FOUND');
    if (!isOpenReport(report)) throw new AppError('REPORT_NOT_PUBLISHED');
  } else {
    const dashboard = await deps.dashboards.get(workspaceId, content.id);
    if (!dashboard || dashboard.deletedAt !== null) throw new AppError('DASHBOARD_NOT_FOUND');
    if (!isOpen(dashboard)) throw new AppError('DASHBOARD_NOT_PUBLISHED');
  }
  return publishedParts(deps, { workspaceId, content });
}

/** What readers of the link see of the version. They do not see filters on locked fields, which have no effect for them. */
export function sharedContent(
  { name, description, theme, pages, cards, filters, parameters }: LinkParts,
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
