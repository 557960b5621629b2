import { describe, expect, it } from 'vitest';
import type { CardContent } from '../../../../shared/data/documents/documents.ts';
import type { Block, RichNode } from '../../../../shared/data/rich-text/index.ts';
import { storyArticle } from '../../../../shared/domains/stories/exports/story-article.ts';

const paragraph = (id: string, ...content: RichNode[]): Block => ({ type: 'paragraph', attrs: { id }, content });
const text = (words: string, ...marks: NonNullable<RichNode['marks']>): RichNode => ({
  ...{ type: 'text', text: words },
  ...(marks.length > 0 && { marks }),
});
const inner = (...content: RichNode[]): RichNode => ({ type: 'paragraph', content });
const item = (...content: RichNode[]): RichNode => ({ type: 'listItem', content });
const section = (title: string | null, ...content: Block[]) => ({
  ...{ id: 's1', title },
  content: { type: 'doc' as const, content },
});
const problem: CardContent = { kind: 'problem', problem: 'You may not see this card.' };
const NOTHING = { blocks: new Map(), values: new Map() };

describe('storyArticle', () => {
  it('writes the values of the reader, never those that the author saw', () => {
    const value: RichNode = { type: 'value', attrs: { id: 'v1', source: { metricId: 'm' }, written: '1,250' } };
    const sections = [section('What happened', paragraph('p1', text('Revenue: '), value))];
    const textOf = (values: ReadonlyMap<string, ReadonlyMap<string, string>>) =>
      storyArticle(sections, { ...NOTHING, values })[1];

    expect(textOf(new Map([['s1', new Map([['v1', '900']])]]))).toMatchObject({
      spans: [{ text: 'Revenue: ' }, { text: '900' }],
    });
    expect(textOf(new Map())).toMatchObject({ spans: [{ text: 'Revenue: ' }, { text: '—' }] });
  });

  it('keeps lists, looks and links, but no link that could run a script', () => {
    const list: Block = {
      ...{ type: 'orderedList', attrs: { id: 'l1', start: 9 } },
      content: [item(inner(text('Nine')), { type: 'bulletList', content: [item(inner(text('deep')))] }), item(inner())],
    };
    const link = (href: string) => ({ type: 'link' as const, attrs: { href } });
    const linked = paragraph(
      'p1',
      text('safe', link('https://example.com/a'), { type: 'bold' }),
      text('not', link('javascript:alert(1)')),
    );
    expect(storyArticle([section(null, list, linked)], NOTHING)).toEqual([
      { kind: 'paragraph', spans: [{ text: 'Nine' }], depth: 1, mark: '9.', isAside: false },
      { kind: 'paragraph', spans: [{ text: 'deep' }], depth: 2, mark: '•', isAside: false },
      { kind: 'paragraph', spans: [], depth: 1, mark: '10.', isAside: false },
      {
        ...{ kind: 'paragraph', depth: 0, mark: '', isAside: false },
        spans: [{ text: 'safe', href: 'https://example.com/a', bold: true }, { text: 'not' }],
      },
    ]);
  });

  it('marks items that begin with something else than a paragraph, and quotes in items once', () => {
    const bullets = (...items: RichNode[]): RichNode => ({ type: 'bulletList', content: items });
    const quote: RichNode = { type: 'blockquote', content: [inner(text('one')), inner(text('two'))] };
    const list: Block = {
      ...{ type: 'orderedList', attrs: { id: 'l1' } },
      content: [item(bullets(item(inner(text('deep'))))), item({ type: 'divider' }), item(quote)],
    };
    const marked = (mark: string, words: string, more: object = {}) => ({
      ...{ kind: 'paragraph', spans: words === '' ? [] : [{ text: words }], depth: 1, mark, isAside: false },
      ...more,
    });
    expect(storyArticle([section(null, list)], NOTHING)).toEqual([
      marked('1.', ''),
      marked('•', 'deep', { depth: 2 }),
      marked('2.', ''),
      { kind: 'divider' },
      marked('3.', 'one', { isAside: true }),
      marked('', 'two', { isAside: true }),
    ]);
  });

  it('places live blocks between the texts, without those that the reader does not get', () => {
    const live = (id: string): Block => ({
      ...{ type: 'liveBlock', attrs: { id, source: { kind: 'slot', label: 'x' }, ...(id === 'b1' && { height: 5 }) } },
    });
    const blocks = new Map(['b1', 'b2'].map((id) => [id, { title: 'Sales', content: problem, height: 3 }]));
    const parts = storyArticle([section(null, live('b1'), live('b2'), live('b3'), paragraph('p1', text('After')))], {
      ...{ blocks, values: new Map() },
    });
    expect(parts).toMatchObject([
      { kind: 'card', rows: 5, card: { title: 'Sales', content: problem } },
      { kind: 'card', rows: 3 },
      { kind: 'paragraph', spans: [{ text: 'After' }] },
    ]);
  });
});
