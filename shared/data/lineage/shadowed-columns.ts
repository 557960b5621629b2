import { tokens } from '../sql/lexer.ts';

/**
 * Whether a select list defines an alias and then uses the same name for a column: in `SELECT id AS amount, amount AS
 * x` the second `amount` is the column for DuckDB, if there is one, and the alias for other engines. `columns` are the
 * folded names of all inputs.
 */
export function hasShadowedColumn(sql: string, columns: ReadonlySet<string>): boolean {
  return selectLists(sql).some((items) =>
    items.some((item, index) => {
      const alias = aliasOf(item);
      if (alias === undefined || !columns.has(alias) || isSameColumn(item, alias)) return false;
      return items.slice(index + 1).some((later) => uses(later, alias));
    }),
  );
}

interface Word {
  text: string;
  /** Whether it is a name rather than a symbol or a value. */
  isName: boolean;
}

/** The items of every select list, those of subqueries included. */
function selectLists(sql: string): Word[][][] {
  const lists: Word[][][] = [];
  const open: { depth: number; items: Word[][] }[] = [];
  let depth = 0;
  for (const { text, isName, isQuoted } of words(sql)) {
    if (CLOSING.has(text)) depth -= 1;
    while (open.length > 0 && open.at(-1)!.depth > depth) lists.push(open.pop()!.items);
    const list = open.at(-1);
    const isOwnDepth = list?.depth === depth;
    if (!isQuoted && text === 'select') open.push({ depth, items: [[]] });
    else if (!isQuoted && text === 'from' && isOwnDepth) lists.push(open.pop()!.items);
    else if (text === ',' && isOwnDepth) list.items.push([]);
    else if (list) list.items.at(-1)!.push({ text, isName });
    if (OPENING.has(text)) depth += 1;
  }
  return [...lists, ...open.map(({ items }) => items)];
}

const OPENING = new Set(['(', '[', '{']);
const CLOSING = new Set([')', ']', '}']);

/** Every token but spaces and comments, with names folded to lower case. */
function* words(sql: string): Generator<Word & { isQuoted: boolean }> {
  for (const { kind, start, end } of tokens(sql)) {
    if (kind === 'space' || kind === 'comment') continue;
    const raw = sql.slice(start, end);
    const isQuoted = kind === 'identifier';
    const text = (isQuoted ? raw.slice(1, -1).replaceAll('""', '"') : raw).toLowerCase();
    yield { text, isName: isQuoted || kind === 'word', isQuoted };
  }
}

function aliasOf(item: readonly Word[]): string | undefined {
  const [last, before] = [item.at(-1), item.at(-2)];
  const isAlias = last?.isName && before && (before.isName || /^[)\]}'"\d$]/.test(before.text));
  return isAlias ? last.text : undefined;
}

/** Items such as `amount AS amount` and `o.amount AS amount`. */
function isSameColumn(item: readonly Word[], alias: string): boolean {
  const names = item.slice(0, -1).filter(({ isName, text }) => isName && text !== 'as');
  return names.length <= 2 && names.at(-1)?.text === alias;
}

function uses(item: readonly Word[], alias: string): boolean {
  const ownAlias = aliasOf(item) === undefined ? item.length : item.length - 1;
  return item.some(
    ({ isName, text }, index) => isName && text === alias && index < ownAlias && item[index - 1]?.text !== '.',
  );
}
