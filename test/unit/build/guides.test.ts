import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readGuides } from '../../../infra/build/docs/guides.ts';
import { type GuideLinks, renderGuide } from '../../../infra/build/docs/markdown.ts';

const LINKS: GuideLinks = {
  page: (path) => (path === 'sql.md' ? '/guides/sql' : undefined),
  image: (path) => (path === 'things.svg' ? '/assets/things.1.svg' : undefined),
  operation: (text) => (text === 'GET /api/things' ? '/api/docs#things' : undefined),
};
const htmlOf = (source: string) => renderGuide(source, LINKS).html;

const folder = mkdtempSync(join(tmpdir(), 'guides-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a guide as a page', () => {
  it('has a title, a summary, anchors as on GitHub, and its sections as text', () => {
    const guide = renderGuide(
      '# Orders\n\nHow `orders` *work*.\n\n## Read & write\n\nText.\n\n### Read & write\n\n```json\n{}\n```\n',
      LINKS,
    );
    expect(guide).toMatchObject({
      title: 'Orders',
      summary: 'How orders work.',
      headings: [
        { level: 2, text: 'Read & write', id: 'read--write' },
        { level: 3, text: 'Read & write', id: 'read--write-1' },
      ],
      sections: [
        { id: '', title: '', text: 'How orders work. ' },
        { id: 'read--write', title: 'Read & write', text: 'Text. ' },
        { id: 'read--write-1', title: 'Read & write', text: '{}\n ' },
      ],
    });
    expect(guide.html).toContain('<h2 id="read--write">Read &amp; write</h2>');
  });

  it.each([
    ['[SQL](sql.md)', '<a href="/guides/sql">SQL</a>'],
    ['[SQL](sql.md#limits)', '<a href="/guides/sql#limits">SQL</a>'],
    ['[here](#limits)', '<a href="#limits">here</a>'],
    ['[there](https://example.com/a)', '<a href="https://example.com/a">there</a>'],
    ['[a *decision*](decisions/001.md) says', '<p>a <em>decision</em> says</p>'],
    ['[the code](../functions/api.ts)', '<p>the code</p>'],
    ['`GET /api/things`', '<a href="/api/docs#things"><code>GET /api/things</code></a>'],
    ['`GET /api/others`', '<p><code>GET /api/others</code></p>'],
    ['[`GET /api/things`](sql.md)', '<a href="/guides/sql"><code>GET /api/things</code></a>'],
  ])('turns %s into %s', (source, html) => {
    expect(htmlOf(source)).toContain(html);
  });

  it('shows code in colours, with the name of its file, and requests with a link', () => {
    expect(htmlOf('```json\n{"a": 1}\n```')).toContain('<span class="hljs-attr">&quot;a&quot;</span>');
    expect(htmlOf('```csv data/<x>.csv\na,b\n```')).toContain(
      '<figcaption>data/&lt;x&gt;.csv</figcaption><pre tabindex="0"><code>a,b\n',
    );
    const request = htmlOf('```http\nGET /api/things\n{"a": 1}\n```');
    expect(request).toContain('<span class="hljs-keyword">GET</span> <a href="/api/docs#things">/api/things</a>');
    expect(request).toContain('hljs-number');
  });

  it('has no markup of its source and no style of its own', () => {
    expect(htmlOf('<script>alert(1)</script>\n\n[x](javascript:alert(1))')).not.toMatch(/<script|href="javascript/);
    const table = htmlOf('| a | b |\n| - | -: |\n| 1 | 2 |\n');
    expect(table).toContain('<td class="right">2</td>');
    expect(table).not.toContain('style=');
  });
});

describe('an image in a guide', () => {
  it('has the address of its file, which has to be there', () => {
    expect(htmlOf('![Things](things.svg)')).toContain('<img src="/assets/things.1.svg" alt="Things">');
    expect(() => htmlOf('![Others](others.svg)')).toThrow('others.svg');
  });
});

describe('the guides of a folder', () => {
  it('stand in the order and under the chapters of its README, with those that it leaves out at the end', async () => {
    writeFileSync(
      join(folder, 'README.md'),
      '# Guides\n\n**First**\n\n- [Z](z.md), [B](b.md)\n\n**Second**\n\n- [A](a.md)\n',
    );
    for (const name of ['a', 'b', 'd', 'c', 'z'])
      writeFileSync(join(folder, `${name}.md`), `# Title ${name}\n\nSee [all](README.md).\n`);
    const guides = await readGuides(folder, LINKS);
    expect(guides.map(({ slug, chapter }) => [slug, chapter])).toEqual([
      ['z', 'First'],
      ['b', 'First'],
      ['a', 'Second'],
      ['c', 'More'],
      ['d', 'More'],
    ]);
    expect(guides[0]!.html).toContain('<a href="/api/docs/guides">all</a>');
  });

  it('are all listed in docs/README.md', async () => {
    const docs = join(import.meta.dirname, '../../../docs');
    const guides = await readGuides(docs, { ...LINKS, image: (path) => path });
    expect(guides).toHaveLength(readdirSync(docs).filter((name) => name.endsWith('.md')).length - 1);
    expect(guides.filter(({ chapter }) => chapter === 'More').map(({ slug }) => slug)).toEqual([]);
    for (const { slug, title, summary } of guides) expect([slug, title, summary]).not.toContain('');
  });
});
