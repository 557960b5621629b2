import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type GuideLinks, type RenderedGuide, renderGuide } from './markdown.ts';

export interface Guide extends RenderedGuide {
  /** Its name in URLs: the file name without extension. */
  slug: string;
  /** The heading in README.md under which it is listed. */
  chapter: string;
}

export const GUIDES_PATH = '/api/docs/guides';

/** For guides that README.md does not list. */
const OTHER_CHAPTER = 'More';

/**
 * Renders every guide in the folder, in the order and with the chapters of README.md. Guides that it does not list come
 * last, by title.
 */
export async function readGuides(folder: string, links: Omit<GuideLinks, 'page'>): Promise<Guide[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const chapters = chaptersOf(await readFile(join(folder, 'README.md'), 'utf8'));
  const pages = new Map(names.map((name) => [name, `${GUIDES_PATH}/${basename(name, '.md')}`]));
  pages.set('README.md', GUIDES_PATH);
  const page = (path: string) => pages.get(path.replace(/^\.\//, ''));
  const guides = await Promise.all(
    names.map(async (name) => {
      const rendered = renderGuide(await readFile(join(folder, name), 'utf8'), { ...links, page });
      const slug = basename(name, '.md');
      return { ...rendered, slug, chapter: chapters.get(slug) ?? OTHER_CHAPTER };
    }),
  );
  const order = [...chapters.keys()];
  const place = ({ slug }: Guide) => (chapters.has(slug) ? order.indexOf(slug) : order.length);
  return guides.sort((one, other) => place(one) - place(other) || one.title.localeCompare(other.title, 'en'));
}

/** The chapter of each guide, in order: a chapter is a bold line before its links. */
function chaptersOf(index: string): Map<string, string> {
  const chapters = new Map<string, string>();
  let chapter = OTHER_CHAPTER;
  for (const line of index.split('\n')) {
    chapter = /^\*\*(.+)\*\*$/.exec(line)?.[1] ?? chapter;
    for (const [, slug] of line.matchAll(/\]\(([\w-]+)\.md\)/g)) chapters.set(slug!, chapter);
  }
  return chapters;
}
