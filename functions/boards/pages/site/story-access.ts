import type { Access } from './access.ts';
import { call } from './api.ts';
import { endsSignIn } from './member-access.ts';

/** Reads the live blocks of a story, in the state that the page shows, as the signed-in person. */
export function storyAccess({ storyId, view }: { storyId: string; view: 'draft' | 'published' }): Access {
  const read = (blockId: string, reading: object) =>
    call('POST', `/api/stories/${storyId}/blocks/${blockId}/data?view=${view}`, reading);
  return {
    readCard: read,
    drawCard: async (blockId, { width, height, theme, ...reading }) => {
      const reply = await read(blockId, { ...reading, image: { width, height, theme } });
      const { image } = (await reply.json()) as { image?: string };
      if (image === undefined) throw new Error('The chart cannot be drawn.');
      return image;
    },
    // Stories have no filters.
    readValues: async () => ({ values: [], truncated: false }),
    ends: endsSignIn,
  };
}
