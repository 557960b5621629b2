import type { Quote } from './quotes.ts';

/** Where the text of an anchor is. */
export interface AnchorPlace {
  sectionId: string;
  blockId: string;
  /** The offset in the text of the block. */
  start: number;
  /** The text that stands there. */
  quote: Quote;
}
