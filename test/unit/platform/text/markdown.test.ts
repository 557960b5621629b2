import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textHtml } from '../../../../shared/platform/mail/text-html.ts';
import { escapeMarkdown } from '../../../../shared/platform/text/markdown/escape-markdown.ts';
import { plainLines } from '../../../../shared/platform/text/markdown/plain-text.ts';
import { readMarkdown } from '../../../../shared/platform/text/markdown/read-markdown.ts';
import { cases } from '../../../support/cases.ts';

const paragraph = (text: string, more: object = {}) => ({
  ...{ kind: 'paragraph', spans: [{ text }], depth: 0, mark: '', isAside: false },
  ...more,
});

const TEXT = `## Revenue

It is **up *12* %**, ~~flat~~; see [the plan](https://example.com/plan?a=1&b=2).
Next \`line\`

- North
  1. five
  2. six
- South

> Quoted

\`\`\`sql
SELECT 1
  FROM orders
\`\`\`

| Region | Net |
|---|---:|
| North | **1** |

---
#### Details`;

describe('a text in Markdown', () => {
  it('has headings without gaps, looks, lists, quotes, code, tables and lines', () => {
    expect(readMarkdown(TEXT)).toEqual([
      { kind: 'heading', level: 1, spans: [{ text: 'Revenue' }] },
      paragraph('', {
        spans: [
          { text: 'It is ' },
          { text: 'up ', bold: true },
          { text: '12', bold: true, italic: true },
          { text: ' %', bold: true },
          { text: ', ' },
          { text: 'flat', strike: true },
          { text: '; see ' },
          { text: 'the plan', href: 'https://example.com/plan?a=1&b=2' },
          { text: '.' },
          { text: '\n' },
          { text: 'Next ' },
          { text: 'line', code: true },
        ],
      }),
      paragraph('North', { depth: 1, mark: '•' }),
      paragraph('five', { depth: 2, mark: '1.' }),
      paragraph('six', { depth: 2, mark: '2.' }),
      paragraph('South', { depth: 1, mark: '•' }),
      paragraph('Quoted', { isAside: true }),
      { kind: 'code', text: 'SELECT 1\n  FROM orders' },
      {
        kind: 'table',
        rows: [
          { isHeader: true, cells: [[{ text: 'Region' }], [{ text: 'Net' }]] },
          { isHeader: false, cells: [[{ text: 'North' }], [{ text: '1', bold: true }]] },
        ],
      },
      { kind: 'divider' },
      { kind: 'heading', level: 2, spans: [{ text: 'Details' }] },
    ]);
  });

  it('has links to pages and mail addresses alone, and shows HTML and other addresses as they are', () => {
    const hostile = '[a](javascript:alert(1)) [b](data:text/html,x) <b onclick="x">c</b> [d](mailto:a@example.com)';
    const [only] = readMarkdown(hostile);
    const spans = only?.kind === 'paragraph' ? only.spans : [];
    expect(spans.flatMap(({ href }) => href ?? [])).toEqual(['mailto:a@example.com']);
    expect(spans.map(({ text }) => text).join('')).toBe(
      '[a](javascript:alert(1)) [b](data:text/html,x) <b onclick="x">c</b> d',
    );
    const html = textHtml(readMarkdown(hostile));
    expect(html).not.toMatch(/<b |href="(javascript|data)/);
    expect(html).toContain('&lt;b onclick=&quot;x&quot;&gt;');
  });

  it('counts lists from where they begin', () => {
    const parts = readMarkdown('5. five\n5. six\n\n   more');
    expect(parts).toEqual([
      paragraph('five', { depth: 1, mark: '5.' }),
      paragraph('six', { depth: 1, mark: '6.' }),
      paragraph('more', { depth: 1 }),
    ]);
    expect(textHtml(parts).replaceAll(/ (class|style)="[^"]*"/g, '')).toBe(
      '<ol start="5"><li>five</li><li>six<div>more</div></li></ol>',
    );
  });

  it('marks an item that has no text of its own', () => {
    expect(readMarkdown('- ```\n  code\n  ```\n-')).toEqual([
      paragraph('', { spans: [], depth: 1, mark: '•' }),
      { kind: 'code', text: 'code' },
      paragraph('', { spans: [], depth: 1, mark: '•' }),
    ]);
  });

  it('is the same in plain text, with the addresses of its links', () => {
    expect(plainLines(readMarkdown(TEXT)).join('\n')).toBe(`Revenue

It is up 12 %, flat; see the plan (https://example.com/plan?a=1&b=2).
Next line

• North
  1. five
  2. six
• South

> Quoted

    SELECT 1
      FROM orders

Region · Net
North · 1

———

Details`);
  });

  it('is the same in emails, with lists within lists', () => {
    const html = textHtml(readMarkdown(TEXT)).replaceAll(/ (class|style)="[^"]*"/g, '');
    expect(html).toContain('<ul><li>North<ol><li>five</li><li>six</li></ol></li><li>South</li></ul>');
    expect(html).toContain('<strong>up </strong><em><strong>12</strong></em>');
    expect(html).toContain('<a href="https://example.com/plan?a=1&amp;b=2">the plan</a>.<br>Next <code>line</code>');
    expect(html).toContain('<tr><th>Region</th><th>Net</th></tr><tr><td>North</td><td><strong>1</strong></td></tr>');
    expect(html).toContain('<pre>SELECT 1\n  FROM orders</pre><table>');
  });

  it('shows any plain text as it is once it is escaped', () => {
    const line = fc.string({ unit: 'grapheme-ascii', minLength: 1 }).filter((text) => text.trim() === text);
    const lines = fc.array(line, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(lines, (texts) => {
        expect(plainLines(readMarkdown(escapeMarkdown(texts.join('\n'))))).toEqual(texts);
      }),
      { numRuns: cases(200, 2_000) },
    );
  });
});
