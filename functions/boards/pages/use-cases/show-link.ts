import { liveBlocksOf } from '../../../../shared/data/rich-text/index.ts';
import {
  type DashboardView,
  dashboardPage,
  type PageParts,
  tokensOf,
} from '../../../../shared/domains/boards/dashboard-pages/index.ts';
import type { ReportParameter } from '../../../../shared/domains/boards/reports/index.ts';
import {
  type ContentDeps,
  type EmbedDomainRepository,
  frameAncestors,
  type LinkParts,
  type LinkPasswords,
  type LinkReader,
  type LinkViews,
  type PublishedContent,
  partsOfContent,
  publishedContent,
  type ResolveLink,
  type SharedContent,
  sharedContent,
  type Visitor,
} from '../../../../shared/domains/sharing/shares/index.ts';
import { type PagedBlock, type PagedStory, storyPage } from '../../../../shared/domains/stories/story-pages/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { pageDocument } from '../../../../shared/platform/pages/page-document.ts';
import { linkPreview } from '../link-preview.ts';
import { lockedPage } from '../locked-page.ts';
import type { ShowDeps } from './show-dashboard.ts';

export interface LinkDeps extends Pick<ShowDeps, 'themes' | 'files'> {
  content: ContentDeps;
  links: {
    resolve: ResolveLink;
    passwords: LinkPasswords;
    views: LinkViews;
    domains: Pick<EmbedDomainRepository, 'readAll'>;
  };
}

type PublishedStory = Extract<PublishedContent, { story: unknown }>['story'];

interface Opening {
  token: string;
  pageId?: string | undefined;
  nonce: string;
  visitor: Visitor;
}

/** The page of a share link, or one that asks for its password. Throws `SHARE_NOT_FOUND`. */
export async function showShare(
  deps: LinkDeps,
  { token, pageId, nonce, visitor, baseUrl }: Opening & { baseUrl: string },
): Promise<string> {
  const [opened, files] = await Promise.all([openLink(deps, token, 'share'), deps.files()]);
  const { reader } = opened;
  if (reader.passwordHash !== null) return lockedPage(files, { nonce, token });
  const { parts, view } = await pageOf(deps, opened, visitor, {
    path: `/api/s/${token}`,
    pageId,
    access: { token },
  });
  const head = linkPreview({
    ...view,
    preview: reader.preview,
    contentType: reader.content.type,
    picture: `${baseUrl}/shares/${token}/preview-image`,
  });
  return pageDocument({ ...parts, head, assets: { ...files, script: files.share }, nonce });
}

/**
 * What the page shows once its reader has given the password. Throws `SHARE_NOT_FOUND`, `SHARE_PASSWORD` and
 * `TOO_MANY_PASSWORDS`.
 */
export async function unlockShare(
  deps: LinkDeps,
  { token, pageId, password, visitor }: Omit<Opening, 'nonce'> & { password: string },
): Promise<Omit<PageParts, 'body'> & { body: string }> {
  const opened = await openLink(deps, token, 'share');
  const { reader } = opened;
  await deps.links.passwords.check(reader, { password, sourceIp: visitor.sourceIp });
  const pass = await deps.links.passwords.passFor(reader);
  const { parts } = await pageOf(deps, opened, visitor, {
    path: `/api/s/${token}`,
    pageId,
    access: { token, pass },
  });
  return { ...parts, body: parts.body.toString() };
}

/** The page of an embedded view, and the sites that may frame it. Throws `SHARE_NOT_FOUND`. */
export async function showEmbedded(
  deps: LinkDeps,
  { token, pageId, nonce, theme, visitor }: Opening & { theme?: 'light' | 'dark' | undefined },
): Promise<{ page: string; ancestors: string[] }> {
  const opened = await openLink(deps, token, 'embed');
  const { reader } = opened;
  const [ancestors, { theme: _theme, ...files }] = await Promise.all([
    frameAncestors(deps.links.domains, reader.workspaceId),
    deps.files(),
  ]);
  const { parts } = await pageOf(deps, opened, visitor, {
    path: `/api/e/${token}`,
    pageId,
    isEmbedded: true,
    access: { token, expiresAt: reader.expiresAt, origins: ancestors },
  });
  const bodyClass = [parts.bodyClass, theme && `${theme}-mode`].filter(Boolean).join(' ');
  return { page: pageDocument({ ...parts, bodyClass, assets: { ...files, script: files.embed }, nonce }), ancestors };
}

interface Opened {
  reader: LinkReader;
  published: PublishedContent;
}

/** Each kind of link has its own page: only that of an embed token may be framed. Throws `SHARE_NOT_FOUND`. */
async function openLink({ links, content }: LinkDeps, token: string, kind: LinkReader['kind']): Promise<Opened> {
  const reader = await links.resolve(token);
  if (reader.kind !== kind) throw new AppError('SHARE_NOT_FOUND');
  return { reader, published: await publishedContent(content, reader) };
}

async function pageOf(
  { content, links, themes }: LinkDeps,
  { reader, published }: Opened,
  visitor: Visitor,
  look: Pick<DashboardView, 'path' | 'pageId' | 'isEmbedded' | 'access'>,
): Promise<{ parts: PageParts; view: DashboardView }> {
  const opened = await partsOfContent(content, published, reader);
  const shared = sharedContent(opened, reader);
  const { title: name, theme, ...shown } = shared;
  const [tokens] = await Promise.all([tokensOf(themes, reader.workspaceId, theme), links.views.count(reader, visitor)]);
  const timezone = opened.timezone ?? reader.principal.timezone ?? null;
  const view = {
    ...shown,
    cards: zoned(shown.cards, opened),
    ...look,
    name,
    tokens,
    timezone,
    access: { ...look.access, ...offersOf(reader, shared), isStory: 'story' in published },
  };
  const parts = 'story' in published ? storyPage(pagedStory(published.story, shared, view)) : dashboardPage(view);
  return { parts, view };
}

/** The texts of a shared story, with the cards of its live blocks in their places. */
function pagedStory({ published }: PublishedStory, { sections }: SharedContent, view: DashboardView): PagedStory {
  const cards = new Map(view.cards.map((card) => [card.id, card]));
  const live = sections.flatMap(({ content }) => liveBlocksOf(content));
  const blocks = live.map(({ blockId }): [string, PagedBlock] => {
    const card = cards.get(blockId);
    return [blockId, card ? { card, height: card.position.h } : { problem: NOT_SHOWN, height: 1 }];
  });
  const { path, name: title, description: summary, tokens, timezone, isEmbedded, access } = view;
  return {
    ...{ path, title, summary, tokens, timezone, isEmbedded, access, sections },
    version: { number: published.version, publishedAt: published.at },
    offers: null,
    isArchived: false,
    blocks: new Map(blocks),
  };
}

const NOT_SHOWN = 'This place shows nothing to the readers of the link.';

/** The cards whose rows have a time zone of their own. */
function zoned(cards: SharedContent['cards'], { cards: records }: LinkParts) {
  const own = new Set(records.flatMap(({ id, chartSpec }) => (chartSpec?.query.source.kind === 'metric' ? [id] : [])));
  return cards.map((card) => ({ ...card, hasOwnZone: own.has(card.id) }));
}

/** What the page offers beside the cards, and the parameters that each card needs. */
const offersOf = (
  { allowExport, allowAi, aiRatePerHour }: LinkReader,
  { parameters, cards }: SharedContent,
): {
  parameters: ReportParameter[];
  bound: Record<string, string[]>;
  allowExport: boolean;
  ask: { perHour: number } | null;
} => ({
  parameters,
  bound: Object.fromEntries(cards.flatMap(({ id, parameters: names }) => (names.length > 0 ? [[id, names]] : []))),
  allowExport,
  ask: allowAi ? { perHour: aiRatePerHour } : null,
});
