import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  type Command,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colors by the tokens of the page, so that an editor changes with its theme. */
const HIGHLIGHTS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.bool, tags.null], color: 'var(--accent)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--good)' },
  // Quoted names.
  { tag: tags.special(tags.string), color: 'var(--text)' },
  { tag: [tags.number, tags.typeName], color: 'var(--warn)' },
  { tag: [tags.comment], color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.special(tags.name)], color: 'var(--warn)', fontWeight: '600' },
]);

const LOOK = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: '14px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace', lineHeight: '1.55' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--raised) 60%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 24%, transparent)',
  },
  '.cm-parameter, .cm-parameter *': { color: 'var(--warn)', fontWeight: '600' },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--accent) 14%, transparent)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'transparent', outline: '1px solid var(--field-line)' },
  // The underline of the library is an image, which the policy of the page does not admit.
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--warn)' },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--bad)' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: '8px',
    backgroundColor: 'var(--surface)',
    boxShadow: 'var(--layer-shadow)',
    color: 'var(--text)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'inherit', fontSize: '13.5px', maxHeight: '15em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent-soft)', color: 'var(--text)' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button': { minHeight: '26px', backgroundImage: 'none' },
});

/**
 * Typing over a selection: left to itself, the browser would give the new text the style of the old one as an
 * attribute, which the policy of the page does not admit.
 */
const REPLACED = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to, empty } = view.state.selection.main;
    const { data, inputType } = event;
    if (empty || data === null || inputType !== 'insertText' || view.composing) return false;
    event.preventDefault();
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type' });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handler) => handler(view, from, to, data, insert))) view.dispatch(insert());
    return true;
  },
});

export interface EditorChoices {
  /** What is edited, for screen readers. */
  label: string;
  /** Admits the styles of the editor under the policy of the page. */
  nonce: string;
  /** The language, keys and whatever else differs. */
  extensions: Extension;
  onChange(text: string): void;
}

/**
 * A list of completions takes no key in its first moments, nor while it is read again. Tab does not leave the editor
 * then, where the next keys would go elsewhere.
 */
const takeCompletion: Command = (view) =>
  acceptCompletion(view) || view.dom.querySelector('.cm-tooltip-autocomplete') !== null;

/** What an editor of one text begins with. Tab leaves the editor, unless it takes a completion. */
export const editorState = (text: string, { label, nonce, extensions, onChange }: EditorChoices): EditorState =>
  EditorState.create({
    doc: text,
    extensions: [
      EditorView.cspNonce.of(nonce),
      extensions,
      lineNumbers(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      bracketMatching(),
      closeBrackets(),
      autocompletion({ icons: false, maxRenderedOptions: 30 }),
      highlightSelectionMatches(),
      syntaxHighlighting(HIGHLIGHTS),
      LOOK,
      REPLACED,
      EditorView.lineWrapping,
      // Without `tabindex`, tools do not see that what scrolls can be reached by keyboard.
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) onChange(state.doc.toString());
      }),
      keymap.of([
        { key: 'Tab', run: takeCompletion },
        ...closeBracketsKeymap,
        ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
        ...searchKeymap,
        ...historyKeymap,
      ]),
    ],
  });
