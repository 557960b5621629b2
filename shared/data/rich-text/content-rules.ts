import { BLOCK_TYPES, INLINE_TYPES, type NodeType } from './nodes.ts';

export interface ContentRule {
  allowed: readonly NodeType[];
  min?: number;
  /** What the first node must be. */
  first?: NodeType;
  /** Whether texts may not have marks. */
  isPlain?: boolean;
}

/** Live blocks are addressed by the ids of blocks, so they stand at the top level alone. */
const NESTED = BLOCK_TYPES.filter((type) => type !== 'liveBlock');
const TEXT: ContentRule = { allowed: INLINE_TYPES };
const BLOCKS: ContentRule = { allowed: NESTED, min: 1 };
const LIST: ContentRule = { allowed: ['listItem'], min: 1 };

/** What nodes may contain, as strict as the schemas of editors; nodes without a rule contain nothing. */
export const CONTENT_RULES: Partial<Record<NodeType, ContentRule>> = {
  paragraph: TEXT,
  heading: TEXT,
  codeBlock: { allowed: ['text'], isPlain: true },
  bulletList: LIST,
  orderedList: LIST,
  listItem: { ...BLOCKS, first: 'paragraph' },
  blockquote: BLOCKS,
  callout: BLOCKS,
  table: { allowed: ['tableRow'], min: 1 },
  tableRow: { allowed: ['tableCell', 'tableHeader'], min: 1 },
  tableCell: BLOCKS,
  tableHeader: BLOCKS,
};
