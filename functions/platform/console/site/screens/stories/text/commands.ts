import { chainCommands, exitCode, lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import { inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules';
import type { MarkType, NodeType } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import type { Command, EditorState } from 'prosemirror-state';
import { schema } from './schema.ts';

const nodeOf = (name: string): NodeType => schema.nodes[name]!;
export const markOf = (name: string): MarkType => schema.marks[name]!;

const isInside = ({ selection: { $from } }: EditorState, name: string): boolean => {
  for (let depth = $from.depth; depth > 0; depth -= 1) if ($from.node(depth).type.name === name) return true;
  return false;
};

/** Wraps the selection, or lifts it out of what it is in. */
const toggleWrap =
  (name: string, wrap: Command): Command =>
  (state, dispatch, view) =>
    isInside(state, name)
      ? chainCommands(liftListItem(nodeOf('listItem')), lift)(state, dispatch, view)
      : wrap(state, dispatch, view);

const insert =
  (name: string): Command =>
  (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(nodeOf(name).create()).scrollIntoView());
    return true;
  };

export interface Tool {
  id: string;
  label: string;
  /** What the button shows. */
  sign: string;
  run: Command;
  isOn?: (state: EditorState) => boolean;
}

const markTool = (name: string, label: string, sign: string): Tool => ({
  id: name,
  label,
  sign,
  run: toggleMark(markOf(name)),
  isOn: ({ selection: { from, to, empty, $from }, storedMarks, doc }) =>
    empty ? Boolean(markOf(name).isInSet(storedMarks ?? $from.marks())) : doc.rangeHasMark(from, to, markOf(name)),
});

const wrapTool = (name: string, label: string, sign: string, wrap: Command): Tool => ({
  id: name,
  label,
  sign,
  run: toggleWrap(name, wrap),
  isOn: (state) => isInside(state, name),
});

export const TOOLS: readonly (readonly Tool[])[] = [
  [
    markTool('bold', 'Bold', 'B'),
    markTool('italic', 'Italic', 'I'),
    markTool('strike', 'Struck through', 'S'),
    markTool('code', 'Code', '<>'),
  ],
  [
    wrapTool('bulletList', 'List', '•', wrapInList(nodeOf('bulletList'))),
    wrapTool('orderedList', 'Numbered list', '#', wrapInList(nodeOf('orderedList'))),
    wrapTool('blockquote', 'Quote', '”', wrapIn(nodeOf('blockquote'))),
    wrapTool('callout', 'Callout', '!', wrapIn(nodeOf('callout'))),
    { id: 'divider', label: 'Line', sign: '—', run: insert('divider') },
  ],
];

/** What a block can be: its name, its attributes, and what people call it. */
export const BLOCKS: readonly { id: string; label: string; type: string; attrs?: Record<string, unknown> }[] = [
  { id: 'paragraph', label: 'Text', type: 'paragraph' },
  ...[1, 2, 3].map((level) => ({
    id: `heading ${level}`,
    label: `Heading ${level}`,
    type: 'heading',
    attrs: { level },
  })),
  { id: 'codeBlock', label: 'Code', type: 'codeBlock' },
];

export const blockOf = ({ selection: { $from } }: EditorState): string => {
  const { type, attrs } = $from.parent;
  return type.name === 'heading' ? `heading ${attrs.level}` : type.name;
};

export function setBlock(id: string): Command {
  const { type, attrs } = BLOCKS.find((each) => each.id === id)!;
  return setBlockType(nodeOf(type), attrs);
}

const insertBreak: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodeOf('hardBreak').create()).scrollIntoView());
  return true;
};

export const KEYS: Readonly<Record<string, Command>> = {
  'Mod-b': toggleMark(markOf('bold')),
  'Mod-i': toggleMark(markOf('italic')),
  'Mod-e': toggleMark(markOf('code')),
  'Mod-Shift-x': toggleMark(markOf('strike')),
  Enter: splitListItem(nodeOf('listItem')),
  'Mod-]': sinkListItem(nodeOf('listItem')),
  'Mod-[': liftListItem(nodeOf('listItem')),
  'Shift-Enter': chainCommands(exitCode, insertBreak),
  ...Object.fromEntries(
    [0, 1, 2, 3].map((level) => [`Mod-Alt-${level}`, setBlock(level ? `heading ${level}` : 'paragraph')]),
  ),
};

/** Signs at the start of a line that make it something else, as in Markdown. */
export const asTyped = inputRules({
  rules: [
    textblockTypeInputRule(/^(#{1,3})\s$/, nodeOf('heading'), ([, signs]) => ({ level: signs!.length })),
    textblockTypeInputRule(/^```$/, nodeOf('codeBlock')),
    wrappingInputRule(/^\s*[-*]\s$/, nodeOf('bulletList')),
    wrappingInputRule(/^(\d+)\.\s$/, nodeOf('orderedList'), ([, start]) => ({ start: Number(start) })),
    wrappingInputRule(/^\s*>\s$/, nodeOf('blockquote')),
  ],
});
