import { describe, expect, it } from 'vitest';
import { mailBlocks } from '../../../../functions/delivery/kinds/schedules/mail-blocks.ts';
import { showCards } from '../../../../functions/delivery/kinds/schedules/mailed-cards.ts';
import type { CardRecord } from '../../../../shared/domains/boards/dashboards/index.ts';

const card = (more: Partial<CardRecord>, at = 0): CardRecord =>
  ({
    ...{ id: `card-${at}`, title: '', description: '', cardType: 'text', chartSpec: null, savedQueryId: null },
    ...{ textContent: null, imageUrl: null, value: null, pageId: null, position: { x: 0, y: at, w: 12, h: 4 } },
    ...more,
  }) as CardRecord;

const shown = async (...cards: Partial<CardRecord>[]) => {
  const records = cards.map(card);
  const seen = { name: 'Sales', theme: null, pageId: null, pages: [], cards: records, filters: [] };
  return (await mailBlocks(showCards(seen as never), [], new Map())).blocks;
};

describe('the cards of an email without rows', () => {
  it('are texts and images, but no lines', async () => {
    const blocks = await shown(
      { title: 'Notes', textContent: '**Net**' },
      { cardType: 'divider', textContent: 'x' },
      { cardType: 'image', title: 'Logo', imageUrl: 'https://example.com/a(1).png?b=1' },
      { cardType: 'image', imageUrl: 'https://example.com/<script>' },
      { title: 'Only a title' },
    );
    expect(blocks).toEqual([
      { name: 'Notes', markdown: '**Net**' },
      { name: 'Logo', markdown: '[Open the image](<https://example.com/a(1).png?b=1>)' },
      { name: 'Only a title', markdown: '' },
    ]);
  });

  it('are cut between lines if they are long', async () => {
    const line = `- ${'word '.repeat(40)}**end**`;
    const [block] = await shown({ textContent: Array.from({ length: 50 }, () => line).join('\n') });
    const { markdown } = block as { markdown: string };
    expect(markdown.length).toBeLessThanOrEqual(6_003);
    expect(markdown.endsWith('**end**\n\n…')).toBe(true);
  });
});
