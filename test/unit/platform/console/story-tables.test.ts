import { EditorState, TextSelection } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import { docOf } from '../../../../functions/platform/console/site/screens/stories/text/schema.ts';
import {
  insertTable,
  isFixedTable,
  isInTable,
  TABLE_CHANGES,
  TABLE_KEYS,
} from '../../../../functions/platform/console/site/screens/stories/text/tables.ts';

const paragraph = (text: string) => ({ type: 'paragraph', ...(text && { content: [{ type: 'text', text }] }) });
const cell = (text: string, attrs = {}) => ({ type: 'tableCell', attrs, content: [paragraph(text)] });
const row = (...cells: object[]) => ({ type: 'tableRow', content: cells });
const docWith = (...content: object[]) => docOf({ type: 'doc', content });
const GRID = { type: 'table', content: [row(cell('a'), cell('b')), row(cell('c'), cell('d'))] };

/** With the cursor in the text. */
function stateAt(doc: ReturnType<typeof docOf>, text: string): EditorState {
  let at = 0;
  doc.descendants((node, pos) => {
    if (node.text === text) at = pos;
  });
  return EditorState.create({ doc, selection: TextSelection.create(doc, at) });
}

function applied(state: EditorState, command: (typeof TABLE_KEYS)[string]): EditorState | undefined {
  let next: EditorState | undefined;
  command(state, (transaction) => {
    next = state.apply(transaction);
  });
  return next;
}

const change = (label: string) => TABLE_CHANGES.flat().find((each) => each.label === label)!.run;
const cells = ({ doc }: EditorState): string[][] => {
  const rows: string[][] = [];
  doc.descendants((node) => {
    if (node.type.name === 'tableRow') rows.push(node.children.map(({ textContent }) => textContent));
  });
  return rows;
};
const typed = (state: EditorState): EditorState => state.apply(state.tr.insertText('x'));

describe('tables of a story', () => {
  it('are inserted below the block with the cursor, which goes into the first cell', () => {
    const next = applied(stateAt(docWith(paragraph('one'), paragraph('two')), 'one'), insertTable)!;
    expect(next.doc.children.map(({ type }) => type.name)).toEqual(['paragraph', 'table', 'paragraph']);
    expect(next.doc.child(1).firstChild!.children.map(({ type }) => type.name)).toEqual(Array(3).fill('tableHeader'));
    expect(cells(typed(next))[0]).toEqual(['x', '', '']);
    next.doc.check();
  });

  it.each([
    [
      'Add a row below',
      [
        ['a', 'b'],
        ['x', ''],
        ['c', 'd'],
      ],
    ],
    [
      'Add a column to the right',
      [
        ['a', 'x', 'b'],
        ['c', '', 'd'],
      ],
    ],
    ['Remove the row', [['xc', 'd']]],
    ['Remove the column', [['xb'], ['d']]],
  ])('%s', (label, expected) => {
    const next = applied(stateAt(docWith(GRID), 'a'), change(label))!;
    next.doc.check();
    expect(cells(typed(next))).toEqual(expected);
  });

  it('keep their last row and column, and cells that span others', () => {
    const one = stateAt(docWith({ type: 'table', content: [row(cell('a'))] }), 'a');
    expect(applied(one, change('Remove the row'))).toBeUndefined();
    expect(applied(one, change('Remove the column'))).toBeUndefined();
    const spanning = { type: 'table', content: [row(cell('a', { colspan: 2 })), row(cell('c'), cell('d'))] };
    expect(applied(stateAt(docWith(spanning), 'a'), change('Add a column to the right'))).toBeUndefined();
    expect([isFixedTable(stateAt(docWith(spanning), 'a')), isFixedTable(one)]).toEqual([true, false]);
    const left = applied(stateAt(docWith(paragraph('p'), spanning), 'a'), change('Remove the table'))!;
    expect(left.doc.textContent).toBe('p');
  });

  it('are left by a paragraph below, and by Tab at their ends', () => {
    const below = typed(applied(stateAt(docWith(GRID), 'a'), change('Write below the table'))!);
    expect(below.doc.lastChild!.textContent).toBe('x');
    expect(isInTable(below)).toBe(false);
    const second = applied(stateAt(docWith(GRID), 'b'), TABLE_KEYS.Tab!)!;
    expect(cells(typed(second))).toEqual([
      ['a', 'b'],
      ['xc', 'd'],
    ]);
    expect(applied(stateAt(docWith(GRID), 'd'), TABLE_KEYS.Tab!)).toBeUndefined();
    expect(applied(stateAt(docWith(GRID), 'a'), TABLE_KEYS['Shift-Tab']!)).toBeUndefined();
    expect(applied(stateAt(docWith(paragraph('p')), 'p'), TABLE_KEYS.Tab!)).toBeUndefined();
  });
});
