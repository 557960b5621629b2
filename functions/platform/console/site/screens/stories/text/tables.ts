import type { Node, NodeType } from 'prosemirror-model';
import { type Command, type EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import { schema } from './schema.ts';

const nodeOf = (name: string): NodeType => schema.nodes[name]!;
const TABLE = nodeOf('table');
const ROW = nodeOf('tableRow');
const CELL = nodeOf('tableCell');
const HEADER = nodeOf('tableHeader');
const PARAGRAPH = nodeOf('paragraph');

/** The cell with the cursor, in the innermost table. */
interface Place {
  table: Node;
  /** Before the table. */
  pos: number;
  row: number;
  column: number;
}

function placeOf({ selection: { $from } }: EditorState): Place | undefined {
  for (let depth = $from.depth - 2; depth > 0; depth -= 1) {
    const table = $from.node(depth);
    if (table.type === TABLE)
      return { table, pos: $from.before(depth), row: $from.index(depth), column: $from.index(depth + 1) };
  }
  return undefined;
}

export const isInTable = (state: EditorState): boolean => placeOf(state) !== undefined;

/** Whether the rows and columns of the table with the cursor stay as they are. */
export function isFixedTable(state: EditorState): boolean {
  const place = placeOf(state);
  return place !== undefined && cellsOf(place.table) === undefined;
}

const emptyCell = (like: Node | undefined): Node =>
  (like?.type === HEADER ? HEADER : CELL).create(null, PARAGRAPH.create());

/** Rows of cells; undefined if some cells span others, whose places could not be kept. */
function cellsOf(table: Node): Node[][] | undefined {
  const rows = table.children.map(({ children }) => [...children]);
  const isPlain = rows.every(
    (cells) =>
      cells.length === rows[0]!.length && cells.every(({ attrs }) => attrs.colspan === 1 && attrs.rowspan === 1),
  );
  return isPlain ? rows : undefined;
}

/** Within the first paragraph of a cell. */
function insideCell(table: Node, pos: number, row: number, column: number): number {
  let at = pos + 1;
  for (const each of table.children.slice(0, row)) at += each.nodeSize;
  at += 1;
  for (const each of table.child(row).children.slice(0, column)) at += each.nodeSize;
  return at + 1;
}

const select = (tr: Transaction, at: number): Transaction =>
  tr.setSelection(TextSelection.near(tr.doc.resolve(at))).scrollIntoView();

/** Puts other rows into the table, and the cursor into one of the cells. */
const changed =
  (change: (rows: Node[][], place: Place) => { rows: Node[][]; row: number; column: number } | undefined): Command =>
  (state, dispatch) => {
    const place = placeOf(state);
    const rows = place && cellsOf(place.table);
    const next = rows && change(rows, place);
    if (!place || !next) return false;
    const { table, pos } = place;
    const node = TABLE.create(
      table.attrs,
      next.rows.map((cells, index) => ROW.create(table.maybeChild(index)?.attrs, cells)),
    );
    dispatch?.(
      select(state.tr.replaceWith(pos, pos + table.nodeSize, node), insideCell(node, pos, next.row, next.column)),
    );
    return true;
  };

const SIZE = 3;

/** A table with a row of headings, below the block with the cursor. */
export const insertTable: Command = (state, dispatch) => {
  const { $to } = state.selection;
  const row = (type: NodeType) =>
    ROW.create(
      null,
      Array.from({ length: SIZE }, () => type.create(null, PARAGRAPH.create())),
    );
  const node = TABLE.create(null, [row(HEADER), row(CELL), row(CELL)]);
  const at = $to.depth > 0 ? $to.after(1) : $to.pos;
  dispatch?.(select(state.tr.insert(at, node), insideCell(node, at, 0, 0)));
  return true;
};

const addRow = changed((rows, { row, column }) => ({
  rows: rows.toSpliced(
    row + 1,
    0,
    rows[row]!.map(() => emptyCell(undefined)),
  ),
  row: row + 1,
  column,
}));

const addColumn = changed((rows, { row, column }) => ({
  rows: rows.map((cells) => cells.toSpliced(column + 1, 0, emptyCell(cells[column]))),
  row,
  column: column + 1,
}));

const removeRow = changed((rows, { row, column }) =>
  rows.length === 1 ? undefined : { rows: rows.toSpliced(row, 1), row: Math.max(0, row - 1), column },
);

const removeColumn = changed((rows, { row, column }) =>
  rows[0]!.length === 1
    ? undefined
    : { rows: rows.map((cells) => cells.toSpliced(column, 1)), row, column: Math.max(0, column - 1) },
);

const removeTable: Command = (state, dispatch) => {
  const place = placeOf(state);
  if (!place) return false;
  const { pos, table } = place;
  const tr = state.tr.delete(pos, pos + table.nodeSize);
  dispatch?.(select(tr, Math.min(pos, tr.doc.content.size)));
  return true;
};

/** A new paragraph after the table, from which writing goes on. */
const leaveTable: Command = (state, dispatch) => {
  const place = placeOf(state);
  if (!place) return false;
  const after = place.pos + place.table.nodeSize;
  dispatch?.(select(state.tr.insert(after, PARAGRAPH.create()), after + 1));
  return true;
};

/** The next cell in reading order, or the one before. At the ends of the table, Tab leaves the editor as elsewhere. */
const toCell =
  (by: 1 | -1): Command =>
  (state, dispatch) => {
    const place = placeOf(state);
    if (!place) return false;
    const { table, pos, row, column } = place;
    const places = table.children.flatMap(({ childCount }, index) =>
      Array.from({ length: childCount }, (_, each) => [index, each] as const),
    );
    const at = places.findIndex(([one, other]) => one === row && other === column);
    const next = places[at + by];
    if (!next) return false;
    dispatch?.(select(state.tr, insideCell(table, pos, ...next)));
    return true;
  };

export const TABLE_CHANGES: readonly (readonly { label: string; run: Command }[])[] = [
  [
    { label: 'Add a row below', run: addRow },
    { label: 'Add a column to the right', run: addColumn },
    { label: 'Write below the table', run: leaveTable },
  ],
  [
    { label: 'Remove the row', run: removeRow },
    { label: 'Remove the column', run: removeColumn },
    { label: 'Remove the table', run: removeTable },
  ],
];

export const TABLE_KEYS: Readonly<Record<string, Command>> = {
  Tab: toCell(1),
  'Shift-Tab': toCell(-1),
  'Mod-Enter': leaveTable,
};
