import { StreamLanguage } from '@codemirror/language';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { editorState } from './code-editor.ts';

/** Enough of YAML to tell keys, texts, numbers and comments apart. */
const YAML = StreamLanguage.define<null>({
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return 'comment';
    if (stream.match(/^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[\w.$ -]+?)(?=:(\s|$))/)) return 'keyword';
    if (stream.match(/^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/)) return 'string';
    if (stream.match(/^-?\d+(\.\d+)?(?=[\s,\]}]|$)/)) return 'number';
    if (stream.match(/^(true|false|null)(?=[\s,\]}]|$)/)) return 'bool';
    stream.match(/^[^\s:#"']+|^./);
    return null;
  },
  languageData: { commentTokens: { line: '#' } },
});

interface Mounting {
  label: string;
  nonce: string;
  text: string;
  isReadOnly: boolean;
  onChange(text: string): void;
}

/** An error at its place, counted from 1. */
export interface Mark {
  line: number;
  column: number;
  message: string;
}

/** The editor of a YAML file. */
export class YamlEditor {
  readonly #view: EditorView;

  constructor(parent: HTMLElement, { label, nonce, text, isReadOnly, onChange }: Mounting) {
    const extensions = [YAML, EditorState.readOnly.of(isReadOnly)];
    this.#view = new EditorView({ parent, state: editorState(text, { label, nonce, extensions, onChange }) });
  }

  replace(text: string): void {
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
  }

  mark(marks: readonly Mark[]): void {
    const diagnostics = marks.map(
      (mark): Diagnostic => ({ ...this.#placeOf(mark), severity: 'error', message: mark.message }),
    );
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
  }

  /** Leads to a place. */
  show(mark: Mark): void {
    const { from, to } = this.#placeOf(mark);
    this.#view.dispatch({
      selection: { anchor: from, head: to },
      effects: EditorView.scrollIntoView(from, { y: 'center' }),
    });
    this.#view.focus();
  }

  destroy(): void {
    this.#view.destroy();
  }

  /** From the place to the end of its line. */
  #placeOf({ line, column }: Mark): { from: number; to: number } {
    const { doc } = this.#view.state;
    const at = doc.line(Math.max(1, Math.min(line, doc.lines)));
    const from = Math.min(at.to, at.from + column - 1);
    return { from, to: Math.max(at.to, from) };
  }
}
