/** A part of a text. */
export interface Range {
  from: number;
  to: number;
}

/** Strings, quoted names, comments and texts between dollars; parameters; the ends of statements. */
const TOKEN =
  /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\$([A-Za-z_]\w*)?\$[\s\S]*?(?:\$\1\$|$)|\$(?<name>\w+)|(?<end>;)/g;

/** The statements of a text, without the space around them and the semicolons after them. */
export function statementsOf(text: string): Range[] {
  const ends = [...text.matchAll(TOKEN)].filter(({ groups }) => groups!.end).map(({ index }) => index);
  const found: Range[] = [];
  let start = 0;
  for (const end of [...ends, text.length]) {
    const part = text.slice(start, end);
    const trimmed = part.trim();
    const from = start + part.indexOf(trimmed);
    if (withoutComments(trimmed) !== '') found.push({ from, to: from + trimmed.length });
    start = end + 1;
  }
  return found;
}

const withoutComments = (text: string): string => text.replaceAll(/--[^\n]*|\/\*[\s\S]*?(\*\/|$)/g, '').trim();

/** The statement at a place: the one around it or before it, or else the first. */
export function statementAt(text: string, place: number): Range | undefined {
  const all = statementsOf(text);
  return all.findLast(({ from }) => from <= place) ?? all[0];
}

/** Where a statement uses parameters, such as `name` in `$name`. */
export const parameterTokens = (text: string): (Range & { name: string })[] =>
  [...text.matchAll(TOKEN)].flatMap(({ index, groups, 0: { length } }) =>
    groups!.name === undefined ? [] : { name: groups!.name, from: index, to: index + length },
  );

/** The parameters of a statement in the order of their first use. */
export const parametersOf = (text: string): string[] => [...new Set(parameterTokens(text).map(({ name }) => name))];

/** The tables that a statement reads, as far as its text shows them without being parsed. */
export function tablesOf(text: string): string[] {
  const found = text.matchAll(/\b(?:from|join)\s+(?:"((?:[^"]|"")+)"|([\w.]+))/gi);
  return [...new Set([...found].map(([, quotedName, name]) => quotedName?.replaceAll('""', '"') ?? name!))];
}

/** A table as a statement names it. */
export const nameInSql = (name: string, quote = '"'): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : quote + name.replaceAll(quote, quote + quote) + quote;

interface Shown {
  name: string;
  type: string;
}

const NUMBER = /^(integer|bigint|hugeint|double|float|decimal)/;
const MAX_TITLE = 80;

/** A name for a statement that has none: its first comment, or what its columns or its tables say. */
export function titleOf(sql: string, columns: readonly Shown[] = []): string {
  const comment = /^\s*--+\s*(\S[^\n]*)/.exec(sql)?.[1];
  if (comment !== undefined) return comment.trim().slice(0, MAX_TITLE);
  const [first, second] = columns;
  const table = tablesOf(sql)[0];
  let title = table ?? 'Query';
  if (first && !second && NUMBER.test(first.type)) title = first.name;
  if (columns.length === 2 && !NUMBER.test(first!.type) && NUMBER.test(second!.type)) {
    title = `${second!.name} by ${first!.name}`;
  }
  return title.slice(0, MAX_TITLE);
}
