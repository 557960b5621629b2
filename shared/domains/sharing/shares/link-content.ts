import { type LiveBlock, liveBlocksOf } from '../../../data/rich-text/index.ts';
import { asTemplate } from '../../../data/story-templates/index.ts';
import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import type { ErrorCode } from '../../../platform/errors/catalogue.ts';
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
import { type BlockCard, blockCard } from '../../stories/live-blocks/index.ts';
import { type KeptBlock, keptBlock, keptCard, type SnapshotStore } from '../../stories/snapshots/index.ts';
import {
  isHidden,
  type RightsClassDeps,
  type Section,
  type StoryRecord,
  type StoryVersions,
  storyPlaceOf,
} from '../../stories/stories/index.ts';
import type { LinkReader } from './records.ts';
import type { SharedContent } from './shared-content.ts';

export interface ContentDeps {
  dashboards: { get(workspaceId: string, id: string): Promise<DashboardRecord | undefined> };
  versions: Pick<DashboardVersions, 'read'>;
  reports: Pick<ReportRepository, 'read'>;
  stories: { get(workspaceId: string, id: string): Promise<StoryRecord | undefined> };
  storyVersions: Pick<StoryVersions, 'read'>;
  snapshots: SnapshotStore;
  /** Decides who sees the sections of stories that only some readers see; no reader of a link sees them without it. */
  sectionRights?: RightsClassDeps;
}

/** What a link opens, in the shape of a dashboard: the blocks of a report are cards below each other. */
export interface LinkParts
  extends Pick<Snapshot, 'name' | 'description' | 'theme' | 'timezone' | 'pages' | 'cards' | 'filters'> {
  parameters: readonly ReportParameter[];
  /** The cards whose required parameters have no value; reading them would show the rows of all values. */
  withheld: ReadonlySet<string>;
  /** The names of the parameters that change the rows of a card, by its id. */
  bound: ReadonlyMap<string, readonly string[]>;
  /** The texts of a story. */
  sections: readonly SharedSection[];
  /** The live blocks of a story by the ids of their cards, each with the filters and time zone of its dashboard. */
  blocks: ReadonlyMap<string, SharedBlock>;
}

export interface SharedBlock extends BlockCard {
  /** In the mode `snapshot`: what the story keeps of the block; null if nothing. */
  kept?: KeptBlock | null;
}

export type SharedSection = Pick<Section, 'id' | 'title' | 'content'>;

type Place = Pick<LinkReader, 'workspaceId' | 'content'>;
type Audience = Place & Partial<Pick<LinkReader, 'principal' | 'hasAttributes'>>;
type OpenStory = StoryRecord & { published: NonNullable<StoryRecord['published']> };
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

async function findStory({ stories }: ContentDeps, place: Place): Promise<IfPublished<OpenStory>> {
  const story = await stories.get(place.workspaceId, place.content.id);
  if (!story || story.deletedAt !== null) return 'missing';
  const { published } = story;
  return published === null ? 'unpublished' : { ...story, published };
}

const NOT_PUBLISHED = {
  dashboard: { missing: 'DASHBOARD_NOT_FOUND', unpublished: 'DASHBOARD_NOT_PUBLISHED' },
  report: { missing: 'REPORT_NOT_FOUND', unpublished: 'REPORT_NOT_PUBLISHED' },
  story: { missing: 'STORY_NOT_FOUND', unpublished: 'STORY_NOT_PUBLISHED' },
} as const;

/** Throws `DASHBOARD_NOT_FOUND`, `DASHBOARD_NOT_PUBLISHED`, and the same of reports and stories. */
export async function assertPublished(deps: ContentDeps, place: Place): Promise<void> {
  const { type } = place.content;
  const found = await FIND[type](deps, place);
  if (typeof found === 'string') throw new AppError(NOT_PUBLISHED[type][found]);
}

const FIND = { dashboard: findDashboard, report: findReport, story: findStory };

/** What a link opens, as published. */
export type PublishedContent = { dashboard: OpenDashboard } | { report: Report } | { story: OpenStory };

/** Throws `SHARE_NOT_FOUND` if the content is deleted or withdrawn. */
export async function publishedContent(deps: ContentDeps, place: Place): Promise<PublishedContent> {
  if (place.content.type === 'report') {
    const report = await findReport(deps, place);
    if (typeof report !== 'string') return { report };
  } else if (place.content.type === 'story') {
    const story = await findStory(deps, place);
    if (typeof story !== 'string') return { story };
  } else {
    const dashboard = await findDashboard(deps, place);
    if (typeof dashboard !== 'string') return { dashboard };
  }
  throw new AppError('SHARE_NOT_FOUND');
}

/**
 * The published version, with the given values of the parameters of a report, and of a story only the sections that the
 * reader sees. Throws `VALIDATION_FAILED` for wrong values.
 */
export async function partsOfContent(
  deps: ContentDeps,
  content: PublishedContent,
  audience: Omit<Audience, 'content'>,
  parameters: readonly GivenParameter[] = [],
): Promise<LinkParts> {
  if ('report' in content) return showParts(content.report, parameters);
  if (parameters.length > 0) throw new AppError('VALIDATION_FAILED', { errors: [NO_PARAMETERS] });
  if ('story' in content) return storyParts(deps, content.story, audience);
  const { workspaceId, id: dashboardId, published } = content.dashboard;
  const version = await deps.versions.read({ workspaceId, dashboardId }, published.version);
  return { ...version, ...NO_PARTS };
}

/** Both together. */
export const publishedParts = async (deps: ContentDeps, audience: Audience): Promise<LinkParts> =>
  partsOfContent(deps, await publishedContent(deps, audience), audience);

const NO_PARTS = {
  parameters: [],
  withheld: new Set<string>(),
  bound: new Map<string, string[]>(),
  sections: [],
  blocks: new Map<string, SharedBlock>(),
} as const;

/** The texts of a story that the readers of the link see, and its live blocks as cards. */
async function storyParts(
  deps: ContentDeps,
  story: OpenStory,
  audience: Omit<Audience, 'content'>,
): Promise<LinkParts> {
  const version = await deps.storyVersions.read(storyPlaceOf(story), story.published.version);
  const { title, summary, mode, sections: all } = version;
  const sections: Section[] = [];
  for (const section of all) if (await mayRead(deps, audience, section)) sections.push(section);
  const found = await Promise.all(
    sections.flatMap((section) =>
      liveBlocksOf(section.content).map(async ({ blockId, part: block }) => {
        const opened = await sharedBlock(deps, audience, { section, block });
        if (!opened) return [];
        return [[blockId, mode === 'snapshot' ? await asKept(deps, story, opened, block) : opened] as const];
      }),
    ),
  );
  const blocks = new Map(found.flat());
  return {
    ...NO_PARTS,
    name: title,
    description: summary ?? '',
    theme: null,
    timezone: null,
    pages: [],
    filters: [],
    cards: stacked(blocks),
    sections: sections.map(({ id, title: heading, content }) => ({ id, title: heading, content })),
    blocks,
  };
}

/** A live block as it was when the story was published. */
async function asKept(deps: ContentDeps, story: OpenStory, now: BlockCard, block: LiveBlock): Promise<SharedBlock> {
  const kept = await keptBlock(deps, story, block.id);
  if (!kept) return { ...now, kept: null };
  return { ...((block.source.kind === 'card' && keptCard(kept)) || now), kept };
}

const WIDTH = 24;

/** The cards below each other, with the heights that they have where they come from. */
function stacked(blocks: ReadonlyMap<string, SharedBlock>): LinkParts['cards'] {
  let y = 0;
  return [...blocks].map(([id, { card }]) => {
    const { h } = card.position;
    const position = { x: 0, y, w: WIDTH, h };
    y += h;
    return { ...card, id, pageId: null, position };
  });
}

/** Without attributes, readers of a link have no rights on rows, so they see only what everyone sees. */
async function mayRead(
  { sectionRights }: ContentDeps,
  { principal, hasAttributes = false }: Omit<Audience, 'content'>,
  section: Section,
): Promise<boolean> {
  if (section.visibility === 'everyone') return true;
  return sectionRights && principal && hasAttributes ? !(await isHidden(sectionRights, principal, section)) : false;
}

/** Undefined for a slot of a template, and for a card that its dashboard does not show to readers. */
async function sharedBlock(
  deps: ContentDeps,
  { workspaceId }: Omit<Audience, 'content'>,
  viewed: { section: Section; block: LiveBlock },
): Promise<BlockCard | undefined> {
  if (viewed.block.source.kind === 'slot') return undefined;
  const dashboardFor = async (_reader: unknown, id: string) => {
    const found = await findDashboard(deps, { workspaceId, content: { type: 'dashboard', id } });
    if (typeof found === 'string') throw new AppError('DASHBOARD_NOT_FOUND');
    return deps.versions.read({ workspaceId, dashboardId: id }, found.published.version);
  };
  return blockCard({ dashboardFor }, undefined, viewed).catch((error: unknown) => {
    if (error instanceof AppError && UNSHOWN.includes(error.code)) return undefined;
    throw error;
  });
}

const UNSHOWN: readonly ErrorCode[] = ['DASHBOARD_NOT_FOUND', 'DASHBOARD_CARD_NOT_FOUND'];

const NO_PARAMETERS: Issue = {
  pointer: '/parameters',
  code: 'CONFLICT',
  message: 'must be empty: only reports have parameters',
};

/**
 * The blocks of a report with the given values of its parameters. Throws `VALIDATION_FAILED` for wrong values, and for
 * values that `needed` lack.
 */
export function showParts(
  report: Report,
  given: readonly GivenParameter[],
  needed: readonly DataBlock[] = [],
): LinkParts {
  const values = parameterValues(report, given, needed);
  const { pages, ...parts } = reportParts(report, values, false);
  const blocks = report.layout.blocks.filter(isDataBlock);
  const withheld = blocks.filter((block) => lacksValue(report, values, block));
  return {
    ...NO_PARTS,
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
  { name, description, theme, pages, cards, filters, parameters, bound, sections }: LinkParts,
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
    // Neither numbers that follow the data nor names of members, as in a template.
    sections: sections.map(({ id, title, content }) => ({ id, title, content: asTemplate(content) })),
  };
}

/** The places that a card leads to are for members: strangers learn neither their addresses nor other dashboards. */
function lookOf({ chartSpec }: Snapshot['cards'][number]): SharedContent['cards'][number]['chartSpec'] {
  if (!chartSpec) return null;
  const { query: _query, config, ...look } = chartSpec;
  const { links: _links, ...settings } = config ?? {};
  return { ...look, ...(Object.keys(settings).length > 0 && { config: settings }) };
}
