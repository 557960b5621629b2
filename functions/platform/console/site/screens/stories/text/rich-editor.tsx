import { useEffect, useRef, useState } from 'preact/hooks';
import { baseKeymap } from 'prosemirror-commands';
import { history, redo, undo } from 'prosemirror-history';
import { keymap } from 'prosemirror-keymap';
import type { Node } from 'prosemirror-model';
import { EditorState, type Transaction } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { blockIds } from './block-ids.ts';
import { copied, pasted } from './clipboard.ts';
import { asTyped, KEYS } from './commands.ts';
import { liveBlockView } from './live-block-view.ts';
import { type Content, contentOf, docOf } from './schema.ts';
import { TABLE_KEYS } from './tables.ts';
import { type Choose, Toolbar } from './toolbar.tsx';

/** Fills the elements of live blocks, which have their ids in `data-block`. */
export type FillBlocks = (elements: readonly HTMLElement[]) => void;

interface RichEditorProps {
  label: string;
  content: unknown;
  /** Another number shows `content` anew. */
  version: number;
  isEditable: boolean;
  change?: (content: Content) => void;
  fill: FillBlocks;
  choose?: Choose | undefined;
}

const stateOf = (content: unknown): EditorState =>
  EditorState.create({
    doc: docOf(content),
    plugins: [
      history(),
      asTyped,
      keymap(TABLE_KEYS),
      keymap({ ...KEYS, 'Mod-z': undo, 'Mod-y': redo, 'Shift-Mod-z': redo }),
      keymap(baseKeymap),
      blockIds,
    ],
  });

/** Marks a change that was not made in this editor. */
const OF_OTHERS = 'of others';

/** Another text in the place of the one that is shown. Blocks that are equal stay, and with them the cursor. */
function replaced({ doc, tr }: EditorState, next: Node): Transaction | undefined {
  if (doc.eq(next)) return undefined;
  const isSame = (own: number, other: number) => doc.maybeChild(own)?.eq(next.maybeChild(other) ?? doc) === true;
  let first = 0;
  while (isSame(first, first)) first += 1;
  let last = 0;
  const most = Math.min(doc.childCount, next.childCount) - first;
  while (last < most && isSame(doc.childCount - 1 - last, next.childCount - 1 - last)) last += 1;
  const sizeOf = (blocks: readonly Node[]) => blocks.reduce((sum, { nodeSize }) => sum + nodeSize, 0);
  const start = sizeOf(doc.children.slice(0, first));
  const end = doc.content.size - sizeOf(doc.children.slice(doc.childCount - last));
  tr.replaceWith(start, end, next.children.slice(first, next.childCount - last));
  return tr.setMeta(OF_OTHERS, true).setMeta('addToHistory', false);
}

/** The text of a section, to read and to write. */
export function RichEditor({ label, content, version, isEditable, change, fill, choose }: RichEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ change, fill, isEditable });
  latest.current = { change, fill, isEditable };
  const [state, setState] = useState<EditorState>();
  useEffect(() => {
    let isPlanned = false;
    // Once for all blocks that appear together.
    const planFill = () => {
      if (isPlanned) return;
      isPlanned = true;
      queueMicrotask(() => {
        isPlanned = false;
        if (place.current) latest.current.fill([...place.current.querySelectorAll<HTMLElement>('[data-block]')]);
      });
    };
    const editor = new EditorView(place.current!, {
      state: stateOf(content),
      editable: () => latest.current.isEditable,
      attributes: () => ({
        'aria-label': label,
        role: latest.current.isEditable ? 'textbox' : 'document',
        ...(latest.current.isEditable && { 'aria-multiline': 'true' }),
        class: 'rich-text',
      }),
      nodeViews: { liveBlock: (node) => liveBlockView(node, planFill) },
      handleDOMEvents: {
        copy: (own, event) => copied(own, event, { isCut: false }),
        cut: (own, event) => copied(own, event, { isCut: true }),
        paste: pasted,
      },
      dispatchTransaction(transaction: Transaction) {
        const next = editor.state.apply(transaction);
        editor.updateState(next);
        setState(next);
        const isTyped = transaction.docChanged && transaction.getMeta(OF_OTHERS) === undefined;
        if (isTyped) latest.current.change?.(contentOf(next.doc));
      },
    });
    view.current = editor;
    setState(editor.state);
    return () => editor.destroy();
  }, []);
  useEffect(() => {
    const transaction = replaced(view.current!.state, docOf(content));
    if (transaction) view.current!.dispatch(transaction);
  }, [version]);
  useEffect(() => {
    // Whether it can be edited is asked again.
    view.current!.setProps({});
    if (isEditable) view.current!.focus();
  }, [isEditable]);
  return (
    <>
      {isEditable && state && view.current && (
        <Toolbar view={view.current} state={state} label={label} choose={choose} />
      )}
      <div ref={place} class={isEditable ? 'rich-editor editing' : 'rich-editor'} />
    </>
  );
}
