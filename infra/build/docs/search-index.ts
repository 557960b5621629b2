import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS, type SearchEntry } from '../../../functions/platform/docs/site/search-options.ts';
import { GUIDES_PATH, type Guide } from './guides.ts';
import { renderGuide, type Section } from './markdown.ts';
import { type Operation, REFERENCE_PATH } from './operations.ts';

export interface Searchable {
  guides: readonly Guide[];
  operations: readonly Operation[];
  /** The introduction of the reference, in Markdown. */
  introduction: string;
}

type Entry = Omit<SearchEntry, 'id'>;

/** The index of every section of the guides and the introduction, and of every operation, as JSON. */
export function searchIndex({ guides, operations, introduction }: Searchable): string {
  const entries = [
    ...guides.flatMap(guideEntries),
    ...introductionEntries(introduction),
    ...operations.map(operationEntry),
  ];
  const index = new MiniSearch(SEARCH_OPTIONS);
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));
  return JSON.stringify(index);
}

function guideEntries({ slug, title, sections }: Guide): Entry[] {
  return sections.map((section) => ({
    href: `${GUIDES_PATH}/${slug}${section.id ? `#${section.id}` : ''}`,
    title: section.title || title,
    kind: 'Guide',
    place: title,
    text: textOf(section),
  }));
}

const asIs = (path: string) => path;

function introductionEntries(introduction: string): Entry[] {
  const { sections } = renderGuide(introduction, { page: asIs, image: asIs, operation: () => undefined });
  return sections.map((section) => ({
    href: `${REFERENCE_PATH}#description/${section.id || 'introduction'}`,
    title: section.title || 'Introduction',
    kind: 'API',
    place: 'API reference',
    text: textOf(section),
  }));
}

function operationEntry({ route, tag, href }: Operation): Entry {
  const text = [tag, route.description].filter(Boolean).join('. ');
  return { href, title: route.summary, kind: route.method, place: route.path, text };
}

function textOf({ text }: Section): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
