import { closeCompletion } from '@codemirror/autocomplete';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { Compartment, type EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { editorState } from '../../ui/code-editor.ts';
import type { CatalogTable } from './catalog.ts';
import type { Database } from './dialects.ts';
import { sqlLanguage } from './language.ts';
import { nameInSql, type Range, statementAt } from './statements.ts';

/** An error at its place in the text. */
export interface Mark extends Range {
  message: string;
}

interface Mounting {
  nonce: string;
  /** After each key. */
  onChange(tabId: string, text: string): void;
  /** Ctrl Enter. */
  run(): void;
}

/** The editor of all tabs, of which each keeps its cursor and what can be undone. */
export class SqlEditor {
  readonly #view: EditorView;
  readonly #mounting: Mounting;
  readonly #language = new Compartment();
  readonly #states = new Map<string, EditorState>();
  #tabId = '';
  #known: { database: Database; tables: readonly CatalogTable[]; extension: ReturnType<typeof sqlLanguage> };

  constructor(parent: HTMLElement, mounting: Mounting) {
    this.#mounting = mounting;
    this.#known = { database: 'datasets', tables: [], extension: sqlLanguage('datasets', []) };
    // Styles are admitted by the nonce of the first state.
    this.#view = new EditorView({ parent, state: this.#stateOf('') });
  }

  /** Shows a tab, as it was left if it was shown before. */
  show(tabId: string, text: string): void {
    if (tabId === this.#tabId) return;
    if (this.#tabId) this.#states.set(this.#tabId, this.#view.state);
    this.#tabId = tabId;
    const kept = this.#states.get(tabId);
    this.#view.setState(kept && kept.doc.toString() === text ? kept : this.#stateOf(text));
    this.#view.dispatch({ effects: this.#language.reconfigure(this.#known.extension) });
  }

  forget(tabId: string): void {
    this.#states.delete(tabId);
  }

  /** What can be completed. */
  learn(database: Database, tables: readonly CatalogTable[]): void {
    if (this.#known.database === database && this.#known.tables === tables) return;
    this.#known = { database, tables, extension: sqlLanguage(database, tables) };
    this.#view.dispatch({ effects: this.#language.reconfigure(this.#known.extension) });
  }

  mark(marks: readonly Mark[]): void {
    const { length } = this.#view.state.doc;
    const diagnostics = marks.map(
      ({ from, to, message }): Diagnostic => ({
        from: Math.min(from, length),
        to: Math.min(Math.max(to, from + 1), length),
        severity: 'error',
        message,
      }),
    );
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
  }

  /** The selection, or else the statement at the cursor. */
  wanted(): Range | undefined {
    const { from, to } = this.#view.state.selection.main;
    const text = this.#view.state.doc.toString();
    if (text.slice(from, to).trim() !== '') return { from, to };
    return statementAt(text, from);
  }

  /** Puts a name where the cursor is; in an empty editor, a statement that reads the table. */
  insert(name: string, schema?: string, isTable = false): void {
    const quote = this.#known.database === 'mysql' ? '`' : '"';
    const path = (schema === undefined ? [name] : [schema, name]).map((part) => nameInSql(part, quote)).join('.');
    const isEmpty = this.#view.state.doc.toString().trim() === '';
    if (isTable && isEmpty) this.replace(`SELECT *\nFROM ${path}\nLIMIT 100`);
    else this.#view.dispatch(this.#view.state.replaceSelection(path), { scrollIntoView: true });
    this.focus();
  }

  /** Undo brings the former text back. */
  replace(text: string): void {
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
  }

  goTo(place: number): void {
    const anchor = Math.min(place, this.#view.state.doc.length);
    this.#view.dispatch({ selection: { anchor }, scrollIntoView: true });
    this.focus();
  }

  focus(): void {
    this.#view.focus();
  }

  destroy(): void {
    this.#view.destroy();
  }

  #stateOf(text: string): EditorState {
    const { nonce, onChange, run } = this.#mounting;
    return editorState(text, {
      label: 'Statement',
      nonce,
      onChange: (changed) => onChange(this.#tabId, changed),
      extensions: [
        this.#language.of(this.#known.extension),
        Prec.highest(
          keymap.of([
            {
              key: 'Mod-Enter',
              run: (view) => {
                closeCompletion(view);
                run();
                return true;
              },
            },
          ]),
        ),
      ],
    });
  }
}
