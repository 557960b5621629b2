import type { Node } from 'prosemirror-model';
import type { NodeView } from 'prosemirror-view';

/** The element of a live block, which `LiveBlocks` fills. */
export function liveBlockView(node: Node, changed: () => void): NodeView {
  const dom = document.createElement('div');
  dom.className = 'live-block';
  dom.contentEditable = 'false';
  let current = node;
  const mark = () => {
    const { id, source } = current.attrs;
    dom.dataset.block = String(id ?? '');
    if (source?.kind === 'slot') dom.dataset.slot = String(source.label);
    else delete dom.dataset.slot;
    changed();
  };
  mark();
  return {
    dom,
    update(next) {
      if (next.type !== current.type) return false;
      const isOther = JSON.stringify(next.attrs) !== JSON.stringify(current.attrs);
      current = next;
      if (isOther) mark();
      return true;
    },
    selectNode: () => dom.classList.add('selected'),
    deselectNode: () => dom.classList.remove('selected'),
    stopEvent: () => false,
    ignoreMutation: () => true,
    destroy: changed,
  };
}
