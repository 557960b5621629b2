import { describe, expect, it } from 'vitest';
import type { CardContent } from '../../../../shared/data/documents/documents.ts';
import type { Block } from '../../../../shared/data/rich-text/index.ts';
import { storyCards } from '../../../../shared/domains/stories/exports/story-cards.ts';

const paragraph = (id: string, ...content: NonNullable<Block['content']>): Block => ({
  type: 'paragraph',
  attrs: { id },
  content,
});
const value = { type: 'value', attrs: { id: 'v1', source: { metricId: 'm' }, written: '1,250' } } as const;
const section = (...content: Block[]) => ({
  id: 's1',
  title: 'What happened',
  content: { type: 'doc' as const, content },
});
const problem: CardContent = { kind: 'problem', problem: 'You may not see this card.' };

describe('storyCards', () => {
  it('writes the values of the reader, never those that the author saw', () => {
    const sections = [section(paragraph('p1', { type: 'text', text: 'Revenue: ' }, value))];
    const textOf = (values: ReadonlyMap<string, ReadonlyMap<string, string>>) =>
      storyCards(sections, { blocks: new Map(), values })[1]!.content;

    expect(textOf(new Map([['s1', new Map([['v1', '900']])]]))).toEqual({ kind: 'text', text: 'Revenue: 900' });
    expect(textOf(new Map())).toEqual({ kind: 'text', text: 'Revenue: —' });
  });

  it('keeps the order of texts and live blocks, and no two cards overlap', () => {
    const live: Block = { type: 'liveBlock', attrs: { id: 'b1', source: { kind: 'slot', label: 'x' }, height: 5 } };
    const text = { type: 'text', text: 'word '.repeat(5_000) } as const;
    const cards = storyCards([section(paragraph('p1', text), live, paragraph('p2', { type: 'text', text: 'After' }))], {
      blocks: new Map([['b1', { title: 'Sales', content: problem }]]),
      values: new Map(),
    });

    expect(cards.at(-2)).toMatchObject({ title: 'Sales', position: { h: 5 }, content: problem });
    expect(cards.at(-1)!.content).toEqual({ kind: 'text', text: 'After' });
    for (const [index, { position }] of cards.entries()) {
      const before = cards[index - 1]?.position;
      expect(position.y).toBe(before ? before.y + before.h : 0);
      expect(position.h).toBeLessThanOrEqual(13);
    }
  });
});
