import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const PAGES = globSync(['*.md', '{docs,functions,infra,packages,shared,test}/**/*.md'], {
  cwd: ROOT,
  // The links of the introduction lead to pages that the platform serves, whose test follows them.
  exclude: ['**/node_modules/**', 'functions/platform/docs/introduction.md'],
}).sort();

const CODE = /```[\s\S]*?```|`[^`\n]*`/g;
const LINK = /\]\(([^()\s]+)\)/g;
/** Inline code that names a file or folder of the repository. */
const PATH = /`((?:docs|events|functions|infra|shared|test)\/[\w./-]*)`/g;

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(page: string): Set<string> {
  const text = read(page).replace(/```[\s\S]*?```/g, '');
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function brokenLinks(page: string): string[] {
  const links = [...read(page).replace(CODE, '').matchAll(LINK)].map(([, link]) => link!);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path));
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && !anchorsOf(target).has(anchor);
  });
}

const missingPaths = (page: string) =>
  [...read(page).matchAll(PATH)].map(([, path]) => path!).filter((path) => !existsSync(join(ROOT, path)));

describe('the documentation', () => {
  it.each(PAGES)('has only links that lead somewhere: %s', (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it.each(PAGES)('names only files that exist: %s', (page) => {
    expect(missingPaths(page)).toEqual([]);
  });

  it('is reachable from the README', () => {
    const seen = new Set<string>();
    const visit = (page: string) => {
      if (seen.has(page)) return;
      seen.add(page);
      const links = [...read(page).matchAll(LINK)].map(([, link]) => link!.split('#')[0]!);
      for (const link of links) {
        const target = join(dirname(page), link);
        const found = target.endsWith('.md') ? target : join(target, 'README.md');
        if (!/^[a-z]+:/.test(link) && link !== '' && existsSync(join(ROOT, found))) visit(found);
      }
    };
    visit('README.md');
    expect(PAGES.filter((page) => page.startsWith('docs/') && !seen.has(page))).toEqual([]);
  });
});
