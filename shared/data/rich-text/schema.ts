import * as Type from 'typebox';
import type { RichText } from './nodes.ts';

/**
 * For declarations of routes. `readRichText` validates what a request sends, because the issues of content have codes
 * of their own; the document of the API shows the nodes in detail.
 */
export const RichTextContent = Type.Unsafe<RichText>({
  $id: 'RichText',
  type: 'object',
  additionalProperties: true,
  maxProperties: 10,
  description:
    'Text as a tree of nodes, as ProseMirror and its editors read and write it: `{"type":"doc","content":[…]}`. Each block of the top level has an id in `attrs.id`; blocks sent without one get one.',
});
