import { cardConfigs, placedCards } from '../../../data/charts/board-cards.ts';
import type { ThemeTokens } from '../../../data/charts/theme.ts';
import type { PageFrame } from '../../../platform/pages/page-document.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { PageRecord } from '../dashboards/index.ts';
import { cardView, type PageCard } from './card-view.ts';
import { filterBar, filterConfig, type PageFilter } from './filter-view.ts';
import { placeRules } from './grid.ts';
import { siteHeader } from './site-header.ts';
import { themeRules } from './theme-rules.ts';

/** What a reader sees of a dashboard, as plain data. */
export interface DashboardView {
  /** The path of the page, which its tabs extend. */
  path: string;
  name: string;
  description: string;
  /** Whether it is the draft that its editors see. */
  isDraft?: boolean;
  pages: readonly Pick<PageRecord, 'id' | 'name' | 'isHidden'>[];
  cards: readonly PageCard[];
  filters: readonly PageFilter[];
  tokens: ThemeTokens;
  /** The time zone of the dashboard or of the workspace; null for that of the reader. */
  timezone: string | null;
  /** The page to show; the first one when absent or unknown. */
  pageId?: string | undefined;
  /** The name of the signed-in person; undefined for the readers of a link. */
  reader?: string | undefined;
  /** Whether the page is part of another one: without a header, and with a title for screen readers only. */
  isEmbedded?: boolean;
  /** What the script needs to read the cards. */
  access: object;
}

/** What distinguishes the page of one dashboard from that of another. */
export type PageParts = Required<Pick<PageFrame, 'title' | 'rules' | 'config' | 'bodyClass' | 'body'>>;

/** The page of a dashboard: its texts and frames at once, and places that its script fills with charts and tables. */
export function dashboardPage(view: DashboardView): PageParts {
  const { name, tokens, filters, isEmbedded = false } = view;
  const first = view.pages.find(({ isHidden }) => !isHidden) ?? view.pages[0];
  const page = view.pages.find((each) => each.id === view.pageId) ?? first;
  // Cards without a page are on the first one.
  const firstId = view.pages[0]?.id ?? null;
  const placed = placedCards(view.cards.filter(({ pageId }) => (pageId ?? firstId) === (page?.id ?? null)));
  return {
    title: page && view.pages.length > 1 ? `${page.name} – ${name}` : name,
    rules: `${themeRules(tokens)}\n${placeRules(placed)}`,
    config: {
      ...view.access,
      tokens,
      timezone: view.timezone,
      cards: cardConfigs(placed.map(({ card }) => card)),
      filters: filters.map(filterConfig),
    },
    bodyClass: [isEmbedded && 'embedded', tokens.dark && 'always-dark'].filter(Boolean).join(' '),
    body: html`<a class="skip" href="#content">Skip to the content</a>
${!isEmbedded && siteHeader(view.reader)}
<main id="content">
<div class="lead${isEmbedded && ' sr'}"><h1>${name}</h1>${view.isDraft && html`<span class="draft">Draft</span>`}${view.reader !== undefined && html`<div class="actions" id="actions" hidden></div><details class="bookmarks" id="bookmarks" hidden></details><details class="bookmarks" id="alerts" hidden></details><div class="comments-place" id="comments" hidden></div>`}</div>
${!isEmbedded && view.description && html`<p class="lead-text">${view.description}</p>`}
${tabs(view, page?.id)}
${filterBar(filters)}
<p class="zone" id="zone" hidden></p>
<p class="selected" id="selected" hidden></p>
${placed.length > 0 ? html`<div class="grid">${placed.map(({ card }) => cardView(card))}</div>` : emptyPage()}
<p class="sr" role="status" id="status"></p>
</main>`,
  };
}

/** Links, so that a page has an address, and tabs work without a script. */
function tabs({ path, pages }: DashboardView, current: string | undefined): Html | '' {
  const shown = pages.filter((page) => !page.isHidden || page.id === current);
  if (shown.length < 2) return '';
  return html`<nav class="tabs" aria-label="Pages">${shown.map(
    (page) =>
      html`<a href="${path}?page=${encodeURIComponent(page.id)}"${page.id === current && html` aria-current="page"`}>${page.name}</a>`,
  )}</nav>`;
}

const emptyPage = (): Html => html`<div class="empty"><p>This page has no cards yet.</p></div>`;
