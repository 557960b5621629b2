/** A term as the glossary has it in its tree. */
export interface TreeTerm {
  id: string;
  name: string;
  status: string;
  narrower: TreeTerm[];
}

/** The tree that the columns `id`, `name`, `status` and `broader` of the file make. */
export function treeOf(csv: string): TreeTerm[] {
  const [head = [], ...rows] = rowsOf(csv);
  const at = (row: readonly string[], column: string) => unguarded(row[head.indexOf(column)] ?? '');
  const terms = rows.map((row) => ({
    term: { id: at(row, 'id'), name: at(row, 'name'), status: at(row, 'status'), narrower: [] as TreeTerm[] },
    broader: textsOf(at(row, 'broader')),
  }));
  const byName = new Map(terms.flatMap(({ term }) => [[term.name.toLowerCase(), term] as const, [term.id, term]]));
  const roots: TreeTerm[] = [];
  for (const { term, broader } of terms) {
    const parents = broader.flatMap((name) => byName.get(name.toLowerCase()) ?? []);
    for (const parent of parents) parent.narrower.push(term);
    if (parents.length === 0) roots.push(term);
  }
  const sort = (all: TreeTerm[]) => all.sort((one, other) => one.name.localeCompare(other.name));
  for (const { term } of terms) sort(term.narrower);
  return sort(roots);
}

/** Rows of a CSV file; quoted cells may have commas, quotes and line breaks. */
function rowsOf(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of csv
    .replace(/^\uFEFF/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    if (end === '' && row.length === 0 && !quoted && !plain) break;
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
    if (end === '') break;
  }
  return rows;
}

/** Cells that spreadsheets would take for formulas begin with an apostrophe. */
const unguarded = (text: string): string => (/^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text);

/** Texts that a vertical bar separates; a backslash escapes one. */
const textsOf = (text: string): string[] =>
  (text.match(/(?:\\.|[^|\\])+/g) ?? []).map((each) => each.replaceAll(/\\(.)/g, '$1').trim()).filter(Boolean);
