import { describe, expect, it } from 'vitest';
import { articleHtml, contentsList } from '../../../../shared/data/rich-text/index.ts';
import { block, doc, node, paragraph, text, withAttrs } from './documents.ts';

const heading = (id: string, level: number, words: string) =>
  block(id, withAttrs({ level }, node('heading', text(words))));

describe('sections as an article', () => {
  const sections = [
    { id: 's1', title: 'Summary & more', content: doc(block('p', paragraph('All is well.'))) },
    {
      id: 's2',
      title: null,
      content: doc(heading('h1', 2, 'Growth'), block('q', paragraph('Up.')), heading('h2', 3, 'Iberia')),
    },
  ];

  it('have their titles as headings', () => {
    expect(articleHtml(sections).toString()).toBe(
      `<div class="article">
<section id="section-s1">
<h2>Summary &amp; more</h2>
<p id="block-p">All is well.</p>
</section>
<section id="section-s2">
<h2 id="block-h1">Growth</h2>
<p id="block-q">Up.</p>
<h3 id="block-h2">Iberia</h3>
</section>
</div>`,
    );
  });

  it('have a contents list of titles and headings', () => {
    expect(contentsList(sections).toString()).toBe(
      `<nav class="contents" aria-label="Contents"><details><summary>Contents</summary><ul><li class="depth-0"><a href="#section-s1">Summary &amp; more</a></li><li class="depth-1"><a href="#block-h1">Growth</a></li><li class="depth-2"><a href="#block-h2">Iberia</a></li></ul></details></nav>
`,
    );
  });

  it('need no contents list if they are few', () => {
    expect(contentsList(sections.slice(0, 1))).toBe('');
  });
});
