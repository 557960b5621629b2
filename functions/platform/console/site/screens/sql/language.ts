import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete';
import { keywordCompletionSource, type SQLNamespace, schemaCompletionSource } from '@codemirror/lang-sql';
import { LanguageSupport, syntaxTree } from '@codemirror/language';
import { Decoration, MatchDecorator, ViewPlugin } from '@codemirror/view';
import type { CatalogTable } from './catalog.ts';
import { type Database, DIALECTS } from './dialects.ts';
import { FUNCTIONS } from './functions.ts';
import { nameInSql, parametersOf, statementAt, tablesOf } from './statements.ts';

const parameters = new MatchDecorator({
  regexp: /\$[A-Za-z_]\w*/g,
  decoration: Decoration.mark({ class: 'cm-parameter' }),
});

/** Parameters stand out, also those that have the name of a word of the language. */
const parameterMarks = ViewPlugin.define(
  (view) => ({
    marks: parameters.createDeco(view),
    update(update) {
      this.marks = parameters.updateDeco(update, this.marks);
    },
  }),
  { decorations: ({ marks }) => marks },
);

/** Where names are text. */
const TEXTUAL = /String|Comment|QuotedIdentifier/;
const WORD = /\w*$/;

/** Highlights statements of a database, and completes tables, columns, functions, words and parameters. */
export function sqlLanguage(database: Database, tables: readonly CatalogTable[]): LanguageSupport {
  const dialect = DIALECTS[database];
  const sources: CompletionSource[] = [
    schemaCompletionSource({ dialect, schema: namespaceOf(tables) }),
    columnSource(tables, database === 'mysql' ? '`' : '"'),
    parameterSource,
    keywordCompletionSource(dialect, true),
    functionSource,
  ];
  return new LanguageSupport(dialect.language, [
    ...sources.map((autocomplete) => dialect.language.data.of({ autocomplete })),
    parameterMarks,
  ]);
}

function namespaceOf(tables: readonly CatalogTable[]): SQLNamespace {
  const columnsOf = ({ columns = [] }: CatalogTable): Completion[] =>
    columns.map(({ name, type }) => ({ label: name, type: 'property', detail: type }));
  const found: Record<string, Record<string, Completion[]> | Completion[]> = {};
  for (const table of tables) {
    if (table.schema === undefined) found[table.name] = columnsOf(table);
    else {
      found[table.schema] = {
        ...(found[table.schema] as Record<string, Completion[]>),
        [table.name]: columnsOf(table),
      };
    }
  }
  return found;
}

/** The columns of the tables that the statement already names. */
const columnSource =
  (tables: readonly CatalogTable[], quote: string): CompletionSource =>
  (context) => {
    const from = wordBefore(context);
    if (from === undefined) return null;
    const text = context.state.doc.toString();
    const range = statementAt(text, context.pos);
    if (!range) return null;
    const named = new Set(
      tablesOf(text.slice(range.from, range.to)).map((name) => name.toLowerCase().split('.').at(-1)),
    );
    const options = tables
      .filter(({ name }) => named.has(name.toLowerCase()))
      .flatMap(({ name: table, columns = [] }) =>
        columns.map(
          ({ name, type }): Completion => ({
            label: name,
            apply: nameInSql(name, quote),
            type: 'property',
            detail: `${type} · ${table}`,
            boost: 2,
          }),
        ),
      );
    return options.length > 0 ? { from, options, validFor: WORD } : null;
  };

/** The parameters that the text already has. */
function parameterSource(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/\$\w*$/);
  if (!word) return null;
  const others = context.state.doc.sliceString(0, word.from) + context.state.doc.sliceString(context.pos);
  const options = parametersOf(others).map((name): Completion => ({ label: `$${name}`, type: 'variable' }));
  return { from: word.from, options, validFor: /^\$\w*$/ };
}

const FUNCTION_OPTIONS = FUNCTIONS.map(
  ([name, takes]): Completion => ({
    label: name,
    detail: `(${takes})`,
    type: 'function',
    boost: -1,
    apply: (view, _completion, from, to) => {
      const isCalled = view.state.sliceDoc(to, to + 1) === '(';
      view.dispatch({
        changes: { from, to, insert: isCalled ? name : `${name}()` },
        selection: { anchor: from + name.length + 1 },
        userEvent: 'input.complete',
      });
    },
  }),
);

function functionSource(context: CompletionContext): CompletionResult | null {
  const from = wordBefore(context);
  return from === undefined ? null : { from, options: FUNCTION_OPTIONS, validFor: WORD };
}

/** Where the word before the cursor begins, if a name can be there: not in a text, and not after a dot. */
function wordBefore(context: CompletionContext): number | undefined {
  const word = context.matchBefore(WORD);
  if (!word || (word.from === word.to && !context.explicit)) return undefined;
  if (TEXTUAL.test(syntaxTree(context.state).resolveInner(context.pos, -1).name)) return undefined;
  const before = context.state.sliceDoc(Math.max(0, word.from - 1), word.from);
  return before === '.' || before === '$' ? undefined : word.from;
}
