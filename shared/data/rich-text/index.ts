/**
 * Rich text: the content of sections of stories as a closed tree that ProseMirror can edit. Pure: everything here takes
 * values and returns values.
 *
 * - `readRichText` validates what a client sends and returns the stored form, or every issue with its pointer.
 * - `mergeRichText` merges two contents that were made from the same one.
 * - `findQuote` finds the text that a comment is about, `reanchor` finds it again after a change, and
 *   `acceptSuggestion` replaces it.
 * - `richTextHtml` and `plainText` show a content, `contentsOf` lists its headings,
 *   `articleHtml` writes several sections, and `contentsList` links to them.
 * - `blockText`, `liveBlocksOf`, `inlineValuesOf` and `mentionsOf` read a stored content.
 *
 * Store a content as JSON text: the tree is nested more deeply than items of the table may be.
 */

export type { AnchorPlace } from './anchors/anchor-place.ts';
export {
  CONTEXT_LENGTH,
  type FoundQuote,
  findQuote,
  type GivenQuote,
  MAX_QUOTE_LENGTH,
  type Quote,
} from './anchors/quotes.ts';
export {
  ANCHOR_STATES,
  newAnchor,
  reanchor,
  type Section,
  type TextAnchor,
} from './anchors/reanchor.ts';
export { type ArticleSection, articleHtml, contentsList, sectionElementId } from './article.ts';
export { BlockId } from './attributes.ts';
export { type BlockText, blockText, nodeAt, nodeOfPath, type TextSpan } from './block-text.ts';
export { type ContentsEntry, contentsOf, elementId, type HtmlOptions, richTextHtml, type ShownValue } from './html.ts';
export { joinTexts } from './join-texts.ts';
export { MAX_BLOCKS, MAX_CONTENT_BYTES, MAX_DEPTH } from './limits.ts';
export { isSafeLink } from './links.ts';
export { type BlockConflict, type MergeResult, mergeRichText } from './merge.ts';
export {
  BLOCK_TYPES,
  type Block,
  type BlockType,
  CALLOUT_TONES,
  type CalloutTone,
  type InlineValue,
  inlineValueOf,
  type LiveBlock,
  type LiveSource,
  liveBlockOf,
  MARK_TYPES,
  type MarkType,
  type Mention,
  mentionOf,
  mentionText,
  type NodeType,
  type RichMark,
  type RichNode,
  type RichText,
} from './nodes.ts';
export { inlineValuesOf, liveBlocksOf, mentionsOf, type Placed } from './parts.ts';
export { type PlainTextOptions, plainText } from './plain-text.ts';
export { emptyParagraph, type ReadOptions, type ReadRichText, readRichText, sizeOf } from './read-rich-text.ts';
export { repeatedId } from './reading.ts';
export { replaceText, type TextChange } from './replace-text.ts';
export { RichTextContent } from './schema.ts';
export { type AcceptedSuggestion, acceptSuggestion } from './suggestions.ts';
