import { describe, expect, it } from 'vitest';
import { contentsOf, plainText, type RichText, richTextHtml } from '../../../../shared/data/rich-text/index.ts';
import { html } from '../../../../shared/platform/text/html.ts';
import { block, doc, EVERYTHING, link, node, paragraph, text, withAttrs } from './documents.ts';

const htmlOf = (content: RichText, options = {}) => richTextHtml(content, options).toString();

describe('rich text as HTML', () => {
  it('has an element for every node and mark', () => {
    expect(htmlOf(EVERYTHING)).toBe(`<h2 id="block-heading">Weekly review</h2>
<p id="block-words">Plain, <strong>bold</strong><a href="https://example.com/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer"><strong><em><s>all</s></em></strong></a><br><code>code</code><span class="mention">@Ada</span><span class="mention">@someone</span><span class="inline-value" data-value="v1">1,250</span><span class="inline-value" data-value="v2">7</span></p>
<ul id="block-bullets"><li><p>one</p><ul><li><p>inner</p></li></ul></li></ul>
<ol id="block-numbers" start="3"><li><p>three</p></li></ol>
<blockquote id="block-quote"><p>quoted</p></blockquote>
<aside id="block-callout" class="callout warning" role="note"><p>mind</p></aside>
<div id="block-table" class="table" role="group" aria-label="Table" tabindex="0"><table><tr><th><p>Region</p></th><th><p>Revenue</p></th></tr><tr><td colspan="2" rowspan="3"><p>none</p></td></tr></table></div>
<pre id="block-code" role="group" aria-label="Code" tabindex="0"><code>SELECT 1
FROM t</code></pre>
<p id="block-image" class="image"><a href="https://example.com/a.png" target="_blank" rel="noopener noreferrer">A chart</a></p>
<hr id="block-divider">
<div id="block-live" class="live"><p>Revenue</p></div>
<div id="block-chart" class="live"></div>
<div id="block-slot" class="live"><p>The main metric</p></div>
<p id="block-empty"></p>
`);
  });

  it('escapes every text, and writes no link to anything but pages and mail addresses', () => {
    const evil = '"><script>alert(1)</script>';
    // As if it had not been validated.
    const content = doc(
      block(
        evil,
        paragraph(text(evil), text('x', link('javascript:alert(1)')), text('y', link(`https://a.b/${evil}`))),
      ),
      block('i', withAttrs({ src: 'javascript:alert(1)', alt: evil }, node('image'))),
      block('c', withAttrs({ tone: evil }, node('callout', paragraph()))),
      block('l', withAttrs({ source: { kind: 'slot', label: evil } }, node('liveBlock'))),
      block('m', paragraph(withAttrs({ userId: 'u', label: evil }, node('mention')))),
      block('v', paragraph(withAttrs({ id: 'v', source: {}, written: evil }, node('value')))),
    );
    const written = htmlOf(content);
    expect(written).not.toContain('<script');
    expect(written).not.toContain('javascript:');
    expect(written).toContain('&quot;&gt;&lt;script&gt;');
  });

  it('shows live blocks and values as the page decides', () => {
    const written = htmlOf(EVERYTHING, {
      headingLevel: 3,
      liveBlock: ({ id }: { id: string }) => html`<b>${id}</b>`,
      value: ({ id }: { id: string }) => (id === 'v1' ? { text: '1,300', note: 'It was 1,250' } : { text: '—' }),
    });
    expect(written).toContain('<h3 id="block-heading">');
    expect(written).toContain('<div id="block-live" class="live"><b>live</b></div>');
    expect(written).toContain(
      '<span class="inline-value" data-value="v1" title="It was 1,250">1,300</span><span class="inline-value" data-value="v2">—</span>',
    );
  });

  it('lists the headings', () => {
    const heading = (id: string, level: number, words: string) =>
      block(id, withAttrs({ level }, node('heading', ...(words ? [text(words)] : []))));
    expect(
      contentsOf(doc(heading('a', 1, 'One'), block('p', paragraph('x')), heading('b', 2, 'Two '), heading('c', 3, ''))),
    ).toEqual([
      { blockId: 'a', level: 1, text: 'One' },
      { blockId: 'b', level: 2, text: 'Two' },
    ]);
  });
});

describe('rich text as plain text', () => {
  it('has no markup', () => {
    expect(plainText(EVERYTHING)).toBe(`Weekly review

Plain, boldall
code@Ada@someone1,2507

• one
  • inner

3. three

quoted

mind

Region\tRevenue
none

SELECT 1
FROM t

[A chart]

[Revenue]`);
  });

  it('writes values as asked', () => {
    expect(plainText(EVERYTHING, { valueText: () => '…' })).toContain('@someone……');
  });
});
