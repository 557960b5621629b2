import { bestMatch, type Match } from './approximate-search.ts';
import { SearchIndex } from './search-index.ts';

interface Searched {
  text: string;
}

/** How many pairs of characters are compared for all anchors together, beyond the most similar window of each. */
const MAX_COMPARISONS = 10_000_000;

/** Looks for texts that resemble a pattern in many blocks, with one index for all of them. */
export class SectionSearch<Block extends Searched = Searched> {
  readonly #blocks: readonly Block[];
  readonly #starts: readonly number[];
  #index: SearchIndex | undefined;
  #comparisons = 0;

  constructor(blocks: readonly Block[]) {
    this.#blocks = blocks;
    let start = 0;
    this.#starts = blocks.map(({ text }) => {
      const own = start;
      start += text.length + 1;
      return own;
    });
  }

  find(pattern: string, maxErrors: number): { block: Block; match: Match }[] {
    this.#index ??= new SearchIndex(this.#blocks.map(({ text }) => text).join('\u0000'));
    return this.#index.windows(pattern, maxErrors).flatMap((window, rank) => {
      const cost = (window.to - window.from) * maxErrors * 2;
      if (rank > 0 && this.#comparisons + cost > MAX_COMPARISONS) return [];
      this.#comparisons += cost;
      return this.#inBlocks(window).flatMap(({ block, from, to }) => {
        // Most texts differ little, and a lower limit is reached faster.
        const match =
          bestMatch(block.text, pattern, maxErrors >> 2, { from, to }) ??
          bestMatch(block.text, pattern, maxErrors, { from, to });
        return match ? [{ block, match }] : [];
      });
    });
  }

  /** The parts of the window in each block. */
  #inBlocks({ from, to }: { from: number; to: number }): { block: Block; from: number; to: number }[] {
    return this.#blocks.flatMap((block, index) => {
      const start = this.#starts[index]!;
      const part = { from: Math.max(0, from - start), to: Math.min(block.text.length, to - start) };
      return part.from < part.to ? [{ block, ...part }] : [];
    });
  }
}
