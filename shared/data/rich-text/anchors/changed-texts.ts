import { blockText } from '../block-text.ts';
import type { Block } from '../nodes.ts';
import { SectionSearch } from './section-search.ts';

export interface BlockTexts {
  sectionId: string;
  blockId: string;
  text: string;
  /** The text before the change; empty for a new block. */
  before: string;
  isChanged: boolean;
}

export interface ChangedTexts {
  /** The blocks of the sections after the change, in order. */
  blocks: ReadonlyMap<string, BlockTexts>;
  changed: readonly BlockTexts[];
  /** The texts of the blocks that are no longer there. */
  removed: ReadonlyMap<string, string>;
  /** Searches the changed blocks of a section. */
  searchIn: (sectionId: string) => SectionSearch<BlockTexts>;
}

interface Section {
  id: string;
  content: { content: readonly Block[] };
}

export function changedTexts(before: readonly Section[], after: readonly Section[]): ChangedTexts {
  const old = new Map(before.flatMap(({ content }) => content.content.map((block) => [block.attrs.id, block])));
  const blocks = new Map<string, BlockTexts>();
  for (const { id: sectionId, content } of after) {
    for (const block of content.content) {
      const blockId = block.attrs.id;
      const was = old.get(blockId);
      old.delete(blockId);
      const text = blockText(block).text;
      const textBefore = was ? blockText(was).text : '';
      blocks.set(blockId, {
        ...{ sectionId, blockId, text, before: textBefore },
        // A block without text cannot have been the place of an anchor.
        isChanged: text !== textBefore || !was,
      });
    }
  }
  const removed = new Map([...old].map(([id, block]) => [id, blockText(block).text]));
  const changed = [...blocks.values()].filter(({ isChanged }) => isChanged);
  const searches = new Map<string, SectionSearch<BlockTexts>>();
  const searchIn = (sectionId: string): SectionSearch<BlockTexts> => {
    const search =
      searches.get(sectionId) ?? new SectionSearch(changed.filter((block) => block.sectionId === sectionId));
    searches.set(sectionId, search);
    return search;
  };
  return { blocks, changed, removed, searchIn };
}
