import { cardConfigs } from '../../../data/charts/board-cards.ts';
import type { ThemeTokens } from '../../../data/charts/theme.ts';
import { type ArticleSection, articleHtml, contentsList } from '../../../data/rich-text/index.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { type PageParts, siteHeader, themeRules } from '../../boards/dashboard-pages/index.ts';
import { blockRules, blockView, type PagedBlock } from './block-view.ts';

/** What a reader sees of a story, as plain data. */
export interface PagedStory {
  /** The path of the page of the published version. */
  path: string;
  title: string;
  summary: string | null;
  /** The version that is shown; null for the draft. */
  version: { number: number; publishedAt: string } | null;
  /** The other state that the reader may look at. */
  offers: 'draft' | 'published' | null;
  isArchived: boolean;
  /** Without those that the reader does not see. */
  sections: readonly ArticleSection[];
  /** The live blocks of these sections. */
  blocks: ReadonlyMap<string, PagedBlock>;
  tokens: ThemeTokens;
  /** The time zone of the workspace; null for that of the reader. */
  timezone: string | null;
  /** The name of the signed-in person; undefined for the readers of a link. */
  reader?: string | undefined;
  /** Whether it is part of another page: without a header, and with a title for screen readers only. */
  isEmbedded?: boolean | undefined;
  /** What the script needs. */
  access: object;
}

/**
 * The page of a story: its text at once, and places that its script fills with comments. An embedded page has no
 * contents list: it is as high as its text, and only the page around it scrolls.
 */
export function storyPage(view: PagedStory): PageParts {
  const { title, summary, sections, blocks, tokens, timezone, reader, isEmbedded = false } = view;
  const cards = [...blocks.values()].flatMap(({ card }) => card ?? []);
  return {
    title,
    rules: [themeRules(tokens), ...blockRules(blocks)].join('\n'),
    config: { ...view.access, tokens, timezone, cards: cardConfigs(cards), filters: [] },
    bodyClass: ['story', isEmbedded && 'embedded', tokens.dark && 'always-dark'].filter(Boolean).join(' '),
    body: html`<a class="skip" href="#content">Skip to the content</a>
${!isEmbedded && siteHeader(reader)}
<main id="content">
<div class="lead${isEmbedded && ' sr'}"><h1>${title}</h1>${labels(view)}${reader !== undefined && html`<div class="comments-place" id="comments" hidden></div>`}</div>
${!isEmbedded && summary && html`<p class="lead-text">${summary}</p>`}
${about(view)}
<p class="zone" id="zone" hidden></p>
<div class="reading">
${!isEmbedded && contentsList(sections)}${sections.length > 0 ? articleHtml(sections, { liveBlock: (block, level) => blockView(block, blocks.get(block.id), level) }) : html`<div class="empty"><p>This story has no text yet.</p></div>`}
</div>
<p class="sr" role="status" id="status"></p>
</main>`,
  };
}

const labels = ({ version, isArchived }: PagedStory): Html =>
  html`${version === null && html`<span class="draft">Draft</span>`}${isArchived && html`<span class="draft">Archived</span>`}`;

/** When it was published, and the way to the other state. */
function about({ version, offers, path }: PagedStory): Html | '' {
  const published =
    version &&
    html`Version ${version.number}, published <time datetime="${version.publishedAt}">${dayOf(version.publishedAt)}</time>`;
  const other =
    offers === 'draft'
      ? html`<a href="${path}?view=draft">Read the draft</a>`
      : offers === 'published' && html`<a href="${path}">Read the published version</a>`;
  if (!published && !other) return '';
  return html`<p class="about">${published}${other && html`<span class="offer">${published && ' · '}${other}</span>`}</p>`;
}

const dayOf = (time: string): string =>
  new Date(time).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
