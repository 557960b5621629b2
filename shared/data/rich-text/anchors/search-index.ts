/** A part of a text where something similar to a pattern can be. */
export interface SearchWindow {
  from: number;
  to: number;
  /** How many sequences it has in common with the pattern. */
  common: number;
}

const GRAM = 3;
/** Sequences that are everywhere say nothing and cost the most. */
const MAX_PLACES = 500;
const MAX_WINDOWS = 20;

/**
 * Finds the windows of a text that have enough three-letter sequences in common with a pattern: each error of a match
 * spoils at most three of them. So few parts of a long text have to be compared.
 */
export class SearchIndex {
  readonly #places = new Map<string, number[]>();
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    for (let at = 0; at + GRAM <= text.length; at += 1) {
      const gram = text.slice(at, at + GRAM);
      const places = this.#places.get(gram);
      if (places) places.push(at);
      else this.#places.set(gram, [at]);
    }
  }

  /** The windows of the text, the most similar ones first. */
  windows(pattern: string, maxErrors: number): SearchWindow[] {
    // A match begins at about the same distance from each sequence that it has in common with the pattern.
    const width = Math.max(16, maxErrors * 2);
    const counts = new Int32Array(Math.ceil((this.#length + pattern.length) / width) + 2);
    let ignored = 0;
    for (let index = 0; index + GRAM <= pattern.length; index += 1) {
      const places = this.#places.get(pattern.slice(index, index + GRAM)) ?? [];
      if (places.length > MAX_PLACES) ignored += 1;
      else for (const place of places) counts[Math.floor((place - index + pattern.length) / width)]! += 1;
    }
    const needed = Math.max(1, pattern.length - GRAM + 1 - GRAM * maxErrors - ignored);
    const windows: SearchWindow[] = [];
    for (let bucket = 0; bucket + 1 < counts.length; bucket += 1) {
      const common = counts[bucket]! + counts[bucket + 1]!;
      if (common < needed) continue;
      const start = bucket * width - pattern.length;
      const from = Math.max(0, start - maxErrors);
      const to = Math.min(this.#length, start + 2 * width + pattern.length + maxErrors);
      if (from < to) windows.push({ from, to, common });
    }
    return windows.sort((one, other) => other.common - one.common).slice(0, MAX_WINDOWS);
  }
}
