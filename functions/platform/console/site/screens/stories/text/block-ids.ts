import { Plugin } from 'prosemirror-state';

/** Gives each block at the top level an id of its own. A block that is split keeps its id in the first part. */
export const blockIds = new Plugin({
  appendTransaction(transactions, _before, { doc, tr }) {
    if (!transactions.some(({ docChanged }) => docChanged)) return null;
    const seen = new Set<string>();
    doc.forEach((node, offset) => {
      const id = node.attrs.id as string | null;
      if (id === null || seen.has(id)) tr.setNodeAttribute(offset, 'id', newBlockId());
      else seen.add(id);
    });
    return tr.docChanged ? tr : null;
  },
});

export const newBlockId = (): string => crypto.randomUUID().slice(0, 18);
