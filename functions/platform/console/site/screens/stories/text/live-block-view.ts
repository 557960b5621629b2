import type { Node } from 'prosemirror-model';
import type { NodeView } from 'prosemirror-view';

/** The element of a live block, which `LiveBlocks` fills. */
export function liveBlockView(node: Node, changed: () => void): NodeView {
  const dom = document.createElement('div');
  dom.className = 'live-block';
  dom.contentEditable = 'false';
  let current = node;
  const mark = () => {
    dom.dataset.block = String(current.attrs.id ?? '');
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
