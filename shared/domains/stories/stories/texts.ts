import type { RichText } from '../../../data/rich-text/index.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { LatestEntries } from '../../../platform/storage/latest-entries.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { type StoryPlace, textKey } from './keys.ts';
import { pack, unpack } from './packed.ts';
import type { SectionRecord } from './records.ts';

/** Contents never change, so a function caches some of those that it has read. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024;

type Text = Pick<SectionRecord, 'id' | 'textSeq'>;

export interface StoryTexts {
  /** The contents by the id of the section. Throws `SERVICE_BUSY` if one was replaced many times since it was named. */
  read(place: StoryPlace, texts: readonly Text[]): Promise<Map<string, RichText>>;
  /** A content that may not be kept any more. */
  find(place: StoryPlace, text: Text): Promise<RichText | undefined>;
  putItem(place: StoryPlace, text: Text, content: RichText): TransactItem;
  /** Caches a content that was stored. */
  keep(place: StoryPlace, text: Text, content: RichText): void;
  removeItem(place: StoryPlace, text: Text): TransactItem;
}

export function storyTexts(table: Table): StoryTexts {
  const cache = new LatestEntries<{ content: RichText; bytes: number }>(MAX_CACHED_BYTES, ({ bytes }) => bytes);
  const nameOf = (place: StoryPlace, { id, textSeq }: Text) => {
    const { pk, sk } = textKey(place, id, textSeq);
    return `${pk}|${sk}`;
  };

  async function readKnown(place: StoryPlace, texts: readonly Text[]): Promise<Map<string, RichText>> {
    const missing = texts.filter((text) => cache.get(nameOf(place, text)) === undefined);
    const items = await readItems(
      table,
      missing.map(({ id, textSeq }) => textKey(place, id, textSeq)),
    );
    const read = new Map(
      items.map((item) => {
        const { pk, sk, content } = item as { pk: string; sk: string; content: Uint8Array };
        return [`${pk}|${sk}`, { content: unpack<RichText>(content), bytes: item.bytes as number }];
      }),
    );
    const found = new Map(
      texts.flatMap((text): [string, RichText][] => {
        const name = nameOf(place, text);
        const known = read.get(name) ?? cache.get(name);
        return known ? [[text.id, known.content]] : [];
      }),
    );
    for (const [name, entry] of read) cache.set(name, entry);
    return found;
  }

  return {
    async read(place, texts) {
      const found = await readKnown(place, texts);
      if (found.size < texts.length) throw new AppError('SERVICE_BUSY');
      return found;
    },

    find: async (place, text) => (await readKnown(place, [text])).get(text.id),

    putItem(place, { id, textSeq }, content) {
      const bytes = Buffer.byteLength(JSON.stringify(content));
      const Item = { ...textKey(place, id, textSeq), entity: 'story-text', content: pack(content), bytes };
      return { Put: { TableName: table.name, Item } };
    },

    keep(place, text, content) {
      cache.set(nameOf(place, text), { content, bytes: Buffer.byteLength(JSON.stringify(content)) });
    },

    removeItem: (place, { id, textSeq }) => ({ Delete: { TableName: table.name, Key: textKey(place, id, textSeq) } }),
  };
}
