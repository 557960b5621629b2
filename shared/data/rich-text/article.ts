import { type Html, html } from '../../platform/text/html.ts';
import { contentsOf, elementId, type HtmlOptions, richTextHtml } from './html.ts';
import type { RichText } from './nodes.ts';

export interface ArticleSection {
  id: string;
  title: string | null;
  content: RichText;
}

/** Fewer entries are on the screen anyway. */
const MIN_ENTRIES = 3;

/** The id of the element of a section in a page. */
export const sectionElementId = (sectionId: string): string => `section-${sectionId}`;

/** Sections one below the other, with their titles as headings below that of the page. */
export const articleHtml = (
  sections: readonly ArticleSection[],
  options: Omit<HtmlOptions, 'headingLevel'> = {},
): Html => html`<div class="article">
${sections.map((section) => sectionHtml(section, options))}</div>`;

function sectionHtml({ id, title, content }: ArticleSection, options: HtmlOptions): Html {
  return html`<section id="${sectionElementId(id)}">
${title && html`<h2>${title}</h2>\n`}${richTextHtml(content, { ...options, headingLevel: title ? 3 : 2 })}</section>
`;
}

/** The titles of the sections and the headings in them, as links. Nothing for short texts. */
export function contentsList(sections: readonly ArticleSection[]): Html | '' {
  const entries = sections.flatMap(({ id, title, content }) => [
    ...(title ? [{ target: sectionElementId(id), level: 0, text: title }] : []),
    ...contentsOf(content).map(({ blockId, level, text }) => ({ target: elementId(blockId), level, text })),
  ]);
  if (entries.length < MIN_ENTRIES) return '';
  const levels = [...new Set(entries.map(({ level }) => level))].sort();
  return html`<nav class="contents" aria-label="Contents"><details><summary>Contents</summary><ul>${entries.map(
    ({ target, level, text }) => html`<li class="depth-${levels.indexOf(level)}"><a href="#${target}">${text}</a></li>`,
  )}</ul></details></nav>
`;
}
