import type { Access, CardReading, ReadCard } from '../../browser/access.ts';
import { call } from './api.ts';
import { BLOCKS_AT_ONCE, type CardResult, readTogether } from './block-batches.ts';
import { memberGlossary } from './glossary.ts';
import { endsSignIn } from './member-access.ts';

/** Reads the live blocks of a story, in the state that the page shows, as the signed-in person. */
export function storyAccess({ storyId, view }: { storyId: string; view: 'draft' | 'published' }): Access {
  const path = (of: string) => `/api/stories/${storyId}/blocks/${of}?view=${view}`;
  const read = readTogether({
    async all(asked) {
      const blocks = asked.map(({ cardId: blockId, reading: { timezone, image } }) => ({ blockId, timezone, image }));
      const reply = await call('POST', path('data'), { blocks });
      return ((await reply.json()) as { blocks: CardResult[] }).blocks;
    },
    async alone({ cardId, reading }) {
      return (await call('POST', path(`${cardId}/data`), reading)).json() as Promise<ReadCard>;
    },
  });
  return {
    atOnce: BLOCKS_AT_ONCE,
    readCard: (cardId, reading: CardReading) => read({ cardId, reading }),
    drawCard: async (cardId, { width, height, theme, ...reading }) => {
      const { image } = await read({ cardId, reading: { ...reading, image: { width, height, theme } } });
      if (image === undefined) throw new Error('The chart cannot be drawn.');
      return image;
    },
    // Stories have no filters.
    readValues: async () => ({ values: [], truncated: false }),
    terms: memberGlossary(),
    ends: endsSignIn,
  };
}
