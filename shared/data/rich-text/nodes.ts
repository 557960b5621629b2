/**
 * Rich text as ProseMirror and its editors (such as Tiptap) read and write it as JSON. The names of nodes, marks and
 * attributes are those of Tiptap where it has them.
 */

export const BLOCK_TYPES = [
  'paragraph',
  'heading',
  'bulletList',
  'orderedList',
  'blockquote',
  'callout',
  'table',
  'codeBlock',
  'image',
  'divider',
  'liveBlock',
] as const;
export const PART_TYPES = ['listItem', 'tableRow', 'tableCell', 'tableHeader'] as const;
export const INLINE_TYPES = ['text', 'hardBreak', 'mention', 'value'] as const;

/** In the order in which editors keep the marks of a text. */
export const MARK_TYPES = ['link', 'bold', 'code', 'italic', 'strike'] as const;

export const CALLOUT_TONES = ['info', 'success', 'warning', 'danger'] as const;
export type CalloutTone = (typeof CALLOUT_TONES)[number];

export type BlockType = (typeof BLOCK_TYPES)[number];
export type InlineType = (typeof INLINE_TYPES)[number];
export type NodeType = BlockType | (typeof PART_TYPES)[number] | InlineType;
export type MarkType = (typeof MARK_TYPES)[number];

export interface RichMark {
  type: MarkType;
  attrs?: Readonly<Record<string, unknown>>;
}

export interface RichNode {
  type: NodeType;
  attrs?: Readonly<Record<string, unknown>>;
  content?: readonly RichNode[];
  marks?: readonly RichMark[];
  /** Of nodes of the type `text`. */
  text?: string;
}

/** A node at the top level. Its id stays the same while its content changes, and when it is moved. */
export interface Block extends RichNode {
  type: BlockType;
  attrs: Readonly<Record<string, unknown>> & { readonly id: string };
}

/** The content of a section. */
export interface RichText {
  type: 'doc';
  content: readonly Block[];
}

/** Where the rows of a live block come from. A slot of a template is filled when the template is used. */
export type LiveSource =
  | { kind: 'card'; dashboardId: string; cardId: string }
  | { kind: 'chart'; chartSpec: Readonly<Record<string, unknown>> }
  | { kind: 'slot'; label: string };

export interface LiveBlock {
  id: string;
  source: LiveSource;
  title?: string;
  /** In rows of the grid of dashboards. */
  height?: number;
}

/** A number within a text that follows the data: that of a metric, or of a row of a live block. */
export interface InlineValue {
  id: string;
  source:
    | { metricId: string; asOf?: string; compare?: string }
    | { blockId: string; measure: string; rowKey?: Readonly<Record<string, string | number | boolean | null>> };
  /** A format of d3. */
  format?: string;
  /** What stood there when the author last looked. */
  written: string;
}

export type Mention = ({ userId: string } | { groupId: string }) & { label?: string };

/** The attributes of a node of the type `liveBlock` that has been validated. */
export const liveBlockOf = (node: RichNode): LiveBlock => node.attrs as unknown as LiveBlock;
/** The attributes of a node of the type `value` that has been validated. */
export const inlineValueOf = (node: RichNode): InlineValue => node.attrs as unknown as InlineValue;
/** The attributes of a node of the type `mention` that has been validated. */
export const mentionOf = (node: RichNode): Mention => node.attrs as unknown as Mention;

/** What stands for a mention in a text. */
export const mentionText = (node: RichNode): string => `@${mentionOf(node).label ?? 'someone'}`;
