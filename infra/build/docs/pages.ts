import { GUIDES_PATH, type Guide } from './guides.ts';
import { escapeHtml } from './highlight.ts';
import type { Heading } from './markdown.ts';
import { REFERENCE_PATH } from './operations.ts';

/** URLs of the files that the pages load. */
export interface PageAssets {
  icon: string;
  page: string;
  reference: string;
  search: string;
  referenceStyle: string;
  guideStyle: string;
  theme: string;
  viewer: string;
}

const PRODUCT = 'Analytics platform';

/** The API reference; the viewer renders it. */
export function referencePage(assets: PageAssets): string {
  return page(assets, {
    title: `API reference – ${PRODUCT}`,
    current: 'reference',
    body: `<div id="reference">Loading the reference …</div>
<noscript>The reference needs JavaScript. What it shows is in <a href="/api/openapi.json">the OpenAPI document</a>.</noscript>
<script src="${assets.viewer}"></script>
<script src="${assets.reference}"></script>`,
  });
}

export function guidesPage(assets: PageAssets, guides: readonly Guide[]): string {
  return page(assets, {
    title: `Guides – ${PRODUCT}`,
    current: 'guides',
    body: `<main id="content" class="text list">
<h1>Guides</h1>
<p>How the platform works, by subject. Every operation is in the <a href="${REFERENCE_PATH}">API reference</a>.</p>
${byChapter(guides, (chapter, members) => `<h2>${chapter}</h2>\n<ul class="cards">\n${members.map(card).join('\n')}\n</ul>`)}
</main>`,
  });
}

const card = ({ slug, title, summary }: Guide): string =>
  `<li><a href="${GUIDES_PATH}/${slug}"><strong>${escapeHtml(title)}</strong><span>${escapeHtml(summary)}</span></a></li>`;

function byChapter(guides: readonly Guide[], show: (chapter: string, members: readonly Guide[]) => string): string {
  const chapters = Map.groupBy(guides, ({ chapter }) => chapter);
  return [...chapters].map(([chapter, members]) => show(escapeHtml(chapter), members)).join('\n');
}

export function guidePage(assets: PageAssets, guides: readonly Guide[], guide: Guide): string {
  const at = guides.indexOf(guide);
  return page(assets, {
    title: `${guide.title} – ${PRODUCT}`,
    current: 'guides',
    body: `<button type="button" class="menu" popovertarget="guides">Guides and sections</button>
<div class="guide">
<nav id="guides" class="guides" popover aria-label="Guides">
${byChapter(guides, (chapter, members) => `<strong>${chapter}</strong>\n<ul>${members.map((other) => menuEntry(other, other === guide)).join('\n')}</ul>`)}
</nav>
<main id="content" class="text">
<article>
${guide.html}</article>
<nav class="around" aria-label="Next guides">${neighbour('Previous', guides[at - 1])}${neighbour('Next', guides[at + 1])}</nav>
</main>
<nav class="contents" aria-label="On this page">
<strong>On this page</strong>
${headingList(guide.headings)}
</nav>
</div>`,
  });
}

function menuEntry({ slug, title, headings }: Guide, current: boolean): string {
  const mark = current ? ' aria-current="page"' : '';
  const sections = current ? headingList(headings.filter(({ level }) => level === 2)) : '';
  return `<li><a href="${GUIDES_PATH}/${slug}"${mark}>${escapeHtml(title)}</a>${sections}</li>`;
}

function headingList(headings: readonly Heading[]): string {
  const entries = headings.map(
    ({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return entries.length > 0 ? `<ul>\n${entries.join('\n')}\n</ul>` : '';
}

function neighbour(label: string, guide: Guide | undefined): string {
  if (!guide) return '<span></span>';
  return `<a href="${GUIDES_PATH}/${guide.slug}"><span>${label}</span>${escapeHtml(guide.title)}</a>`;
}

function page(assets: PageAssets, parts: { title: string; current: 'reference' | 'guides'; body: string }): string {
  const entry = (name: typeof parts.current, href: string, text: string) =>
    `<a href="${href}"${name === parts.current ? ' aria-current="true"' : ''}>${text}</a>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(parts.title)}</title>
<link rel="icon" href="${assets.icon}">
<link rel="stylesheet" href="${parts.current === 'reference' ? assets.referenceStyle : assets.guideStyle}">
</head>
<body>
<script src="${assets.theme}"></script>
<a class="skip" href="${parts.current === 'reference' ? '#reference' : '#content'}">Skip to the content</a>
<header class="site">
<a class="product" href="${REFERENCE_PATH}" aria-label="${PRODUCT}"><img src="${assets.icon}" alt="" width="24" height="24"><span>${PRODUCT}</span></a>
<nav aria-label="Documentation">${entry('reference', REFERENCE_PATH, 'Reference')}${entry('guides', GUIDES_PATH, 'Guides')}</nav>
<button type="button" class="search-open" aria-label="Search" hidden>${MAGNIFIER}<span>Search</span><kbd>/</kbd></button>
<button type="button" class="theme-toggle" aria-label="Switch between light and dark">${SUN_AND_MOON}</button>
</header>
${parts.body}
<dialog class="search" aria-label="Search" data-index="${assets.search}">
<input type="search" placeholder="Search guides and operations" aria-label="Search guides and operations" autocomplete="off" spellcheck="false">
<output></output>
<ol></ol>
</dialog>
<script type="module" src="${assets.page}"></script>
</body>
</html>
`;
}

const MAGNIFIER =
  '<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/></svg>';

const SUN_AND_MOON =
  '<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><circle cx="8" cy="8" r="6"/><path class="filled" d="M8 2a6 6 0 0 1 0 12z"/></svg>';
