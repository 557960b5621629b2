/** How many trees are kept, and how many characters a text and its tree may have together. */
const MAX_KEPT = 16;
const MAX_CHARS = 64 * 1024;

/**
 * Keeps the parse trees of the last texts: the items of a block have the same text, on which alone its tree depends.
 */
export class ParseTrees {
  readonly #trees = new Map<string, string>();

  async get(text: string, parse: (text: string) => Promise<string>): Promise<string> {
    const known = this.#trees.get(text);
    if (known !== undefined) return known;
    const tree = await parse(text);
    if (text.length + tree.length <= MAX_CHARS) this.#keep(text, tree);
    return tree;
  }

  #keep(text: string, tree: string): void {
    const [oldest] = this.#trees.keys();
    if (this.#trees.size === MAX_KEPT) this.#trees.delete(oldest!);
    this.#trees.set(text, tree);
  }
}
