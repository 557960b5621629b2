import {
  inlineValueOf,
  joinTexts,
  type LiveSource,
  liveBlockOf,
  mentionOf,
  type RichNode,
  type RichText,
} from '../rich-text/index.ts';

/** What stands for a number in a template, which must not show the rows of the story that it was made of. */
const NUMBER = '…';

/**
 * The texts and the structure of a section as a template: live blocks become slots with their title, and neither
 * numbers that follow the data nor mentions of people remain.
 */
export const asTemplate = (content: RichText): RichText => mapNodes(content, templateNode);

function templateNode(node: RichNode): RichNode {
  const { type, marks } = node;
  if (type === 'liveBlock') {
    const { id, title, height, source } = liveBlockOf(node);
    const label = title ?? (source.kind === 'slot' ? source.label : 'A card or a chart');
    return {
      type,
      attrs: {
        id,
        source: { kind: 'slot', label },
        ...(title !== undefined && { title }),
        ...(height !== undefined && { height }),
      },
    };
  }
  const asText = (text: string): RichNode => ({ type: 'text', ...(marks && { marks }), text });
  if (type === 'value') return asText(NUMBER);
  if (type === 'mention') return asText('groupId' in mentionOf(node) ? 'the team' : 'someone');
  return node;
}

/**
 * The content for a story that is made from a template: with ids of its own, and with the sources chosen for the slots,
 * by the id of the block in the template. Slots without a choice stay.
 */
export function fromTemplate(
  template: RichText,
  newId: () => string,
  sources: ReadonlyMap<string, LiveSource> = new Map(),
): RichText {
  return mapNodes(template, (node) => {
    if (node.type === 'value') return { ...node, attrs: { ...inlineValueOf(node), id: newId() } };
    const id = node.attrs?.id;
    if (id === undefined) return node;
    const source = node.type === 'liveBlock' ? sources.get(id as string) : undefined;
    return { ...node, attrs: { ...node.attrs, ...(source && { source }), id: newId() } };
  });
}

function mapNodes(content: RichText, map: (node: RichNode) => RichNode): RichText {
  const visit = (node: RichNode): RichNode => {
    const mapped = map(node);
    return mapped.content ? { ...mapped, content: joinTexts(mapped.content.map(visit)) } : mapped;
  };
  return { type: 'doc', content: content.content.map(visit) as unknown as RichText['content'] };
}
