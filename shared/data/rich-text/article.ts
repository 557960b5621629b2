import { type Html, html } from '../../platform/text/html.ts';
import { type ContentsEntry, contentsOf, elementId, type HtmlOptions, richTextHtml } from './html.ts';
import type { RichText } from './nodes.ts';

export interface ArticleSection {
  id: string;
  title: string | null;
  content: RichText;
}

/** Fewer entries are on the screen anyway. */
const MIN_ENTRIES = 3;

/**
 * Sections one below the other, with their titles as headings below that of the page, and a contents list before them.
 */
export function articleHtml(
  sections: readonly ArticleSection[],
  options: Omit<HtmlOptions, 'headingLevel'> = {},
): Html {
  const entries = sections.flatMap(({ id, title, content }) => [
    ...(title ? [{ target: sectionElementId(id), level: 0, text: title }] : []),
    ...contentsOf(content).map((entry) => ({ ...entry, target: elementId(entry.blockId) })),
  ]);
  return html`${entries.length >= MIN_ENTRIES && contentsList(entries)}<div class="article">
${sections.map((section) => sectionHtml(section, options))}</div>`;
}

const sectionElementId = (sectionId: string): string => `section-${sectionId}`;

function sectionHtml({ id, title, content }: ArticleSection, options: HtmlOptions): Html {
  return html`<section id="${sectionElementId(id)}">
${title && html`<h2>${title}</h2>\n`}${richTextHtml(content, { ...options, headingLevel: title ? 3 : 2 })}</section>
`;
}

const contentsList = (entries: readonly (Omit<ContentsEntry, 'blockId'> & { target: string })[]): Html =>
  html`<nav class="contents" aria-label="Contents"><ul>${entries.map(
    ({ target, level, text }) => html`<li class="level-${level}"><a href="#${target}">${text}</a></li>`,
  )}</ul></nav>
`;
