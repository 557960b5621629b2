import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete';
import {
  keywordCompletionSource,
  type SQLDialect,
  type SQLNamespace,
  schemaCompletionSource,
} from '@codemirror/lang-sql';
import { LanguageSupport, syntaxTree } from '@codemirror/language';
import { Decoration, MatchDecorator, ViewPlugin } from '@codemirror/view';
import type { CatalogTable } from './catalog-table.ts';
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
  const quote = database === 'mysql' ? '`' : '"';
  const sources: CompletionSource[] = [
    namedTableSource(dialect, tables),
    tableSource(tables, quote),
    columnSource(tables, quote),
    parameterSource,
    keywordCompletionSource(dialect, true),
    functionSource,
  ];
  return new LanguageSupport(dialect.language, [
    ...sources.map((autocomplete) => dialect.language.data.of({ autocomplete })),
    parameterMarks,
  ]);
}

/** The names of the tables of the statement at the cursor, without their schemas and in lower case. */
function namedTables(context: CompletionContext): ReadonlySet<string> {
  const text = context.state.doc.toString();
  const range = statementAt(text, context.pos);
  const names = range ? tablesOf(text.slice(range.from, range.to)) : [];
  return new Set(names.map((name) => name.toLowerCase().split('.').at(-1)!));
}

/** A name that a dot or a quote precedes, such as `orders.`, `"All orders".t` or `"Or`. */
const BEHIND_MARK = /(?:(?:"[^"\n]*"|`[^`\n]*`|\w+)\.)+["`]?\w*$|["`][^"`\n]*$/;

/**
 * What follows a table, an alias, a schema or a quote. Only the tables that can be meant are given to the library,
 * which compares all that it has with each other and with each key.
 */
function namedTableSource(dialect: SQLDialect, tables: readonly CatalogTable[]): CompletionSource {
  let known: { key: string; source: CompletionSource } | undefined;
  const schemas = [...new Set(tables.flatMap(({ schema }) => schema ?? []))];
  return (context) => {
    const named = namedTables(context);
    const mark = context.matchBefore(BEHIND_MARK)?.text.toLowerCase();
    const before = new Set(mark?.split('.').map((part) => part.replaceAll(/["`]/g, '')));
    const isQuoted = mark !== undefined && /^["`]/.test(mark);
    const meant = tables.filter(({ schema = '', name }) => {
      const lower = name.toLowerCase();
      return isQuoted || named.has(lower) || before.has(lower) || before.has(schema.toLowerCase());
    });
    const key = JSON.stringify(meant.map(({ schema, name }) => [schema, name]));
    if (known?.key !== key) {
      known = { key, source: schemaCompletionSource({ dialect, schema: namespaceOf(meant, schemas) }) };
    }
    return known.source(context);
  };
}

function namespaceOf(tables: readonly CatalogTable[], schemas: readonly string[]): SQLNamespace {
  const columnsOf = ({ columns = [] }: CatalogTable): Completion[] =>
    columns.map(({ name, type }) => ({ label: name, type: 'property', detail: type }));
  const found: Record<string, Record<string, Completion[]> | Completion[]> = {};
  for (const schema of schemas) found[schema] = {};
  for (const table of tables) {
    if (table.schema === undefined) found[table.name] = columnsOf(table);
    else (found[table.schema] as Record<string, Completion[]>)[table.name] = columnsOf(table);
  }
  return found;
}

/** Enough to choose from; more letters lead to the others. */
const MAX_OFFERED = 60;

/**
 * The tables whose names have what is typed. With each key they are searched anew, which is less work than to sort
 * all.
 */
function tableSource(tables: readonly CatalogTable[], quote: string): CompletionSource {
  let names: { lower: string; option: Completion }[] | undefined;
  return (context) => {
    const from = wordBefore(context);
    if (from === undefined) return null;
    names ??= tables.flatMap(({ schema, name }) => {
      const written = nameInSql(name, quote);
      const option: Completion = { label: name, type: 'type', ...(written !== name && { apply: written }) };
      return schema === undefined ? { lower: name.toLowerCase(), option } : [];
    });
    // The other source offers those.
    const named = namedTables(context);
    const offered = (word: string) => matching(names!, word.toLowerCase(), named);
    return {
      from,
      options: offered(context.state.sliceDoc(from, context.pos)),
      update: (current, start, end, { state }) => {
        const word = state.sliceDoc(start, end);
        return WHOLE_WORD.test(word) ? { ...current, from: start, options: offered(word) } : null;
      },
    };
  };
}

const WHOLE_WORD = /^\w*$/;

/** Those that begin with the word, then those that have it, then those that have its letters in their order. */
function matching(
  names: readonly { lower: string; option: Completion }[],
  word: string,
  without: ReadonlySet<string>,
): Completion[] {
  const found: [Completion[], Completion[], Completion[]] = [[], [], []];
  for (const { lower, option } of names) {
    if (without.has(lower)) continue;
    const at = lower.indexOf(word);
    const rank = at === 0 ? 0 : at > 0 ? 1 : 2;
    if (found[rank]!.length < MAX_OFFERED && (rank < 2 || hasLetters(lower, word))) found[rank]!.push(option);
    if (found[0].length === MAX_OFFERED) break;
  }
  return found.flat().slice(0, MAX_OFFERED);
}

function hasLetters(name: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = name.indexOf(letter, at + 1);
    if (at === -1) return false;
  }
  return true;
}

/** The columns of the tables that the statement already names. */
const columnSource =
  (tables: readonly CatalogTable[], quote: string): CompletionSource =>
  (context) => {
    const from = wordBefore(context);
    if (from === undefined) return null;
    const named = namedTables(context);
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
