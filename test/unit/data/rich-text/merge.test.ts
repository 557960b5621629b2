import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, blockText, mergeRichText, type RichText } from '../../../../shared/data/rich-text/index.ts';
import { cases } from '../../../support/cases.ts';
import { block, doc, node, paragraph, SOME_ID, withAttrs } from './documents.ts';

/** A content from `a`, `b=new text` and so on. */
const content = (...blocks: string[]): RichText =>
  doc(
    ...blocks.map((each) => {
      const [id, text = `text of ${id}`] = each.split('=');
      return block(id!, paragraph(text));
    }),
  );

const idsOf = ({ content }: RichText) => content.map(({ attrs }) => attrs.id);
const textOf = (one: Block | undefined) => one && blockText(one).text;

function merged(base: RichText, theirs: RichText, mine: RichText): RichText {
  const result = mergeRichText(base, theirs, mine);
  if (!result.isMerged) throw new Error(JSON.stringify(result.conflicts));
  return result.content;
}

const conflictsOf = (base: RichText, theirs: RichText, mine: RichText) => {
  const result = mergeRichText(base, theirs, mine);
  return result.isMerged ? [] : result.conflicts;
};

describe('merging by block', () => {
  const base = content('a', 'b', 'c', 'd');

  it.each<[string, RichText, RichText, RichText]>([
    ['nothing', base, base, base],
    ['one side', content('a', 'x', 'c=new'), base, content('a', 'x', 'c=new')],
    ['the same change on both sides', content('a=new', 'b'), content('a=new', 'b'), content('a=new', 'b')],
    ['replaced blocks', content('a=1', 'b', 'c', 'd'), content('a', 'b', 'c=2', 'd'), content('a=1', 'b', 'c=2', 'd')],
    [
      'blocks inserted at two places',
      content('a', 'x', 'b', 'c', 'd'),
      content('a', 'b', 'c', 'd', 'y'),
      content('a', 'x', 'b', 'c', 'd', 'y'),
    ],
    [
      'blocks inserted at one place',
      content('a', 'y1', 'y2', 'b', 'c', 'd'),
      content('a', 'x1', 'x2', 'b', 'c', 'd'),
      content('a', 'x1', 'x2', 'y1', 'y2', 'b', 'c', 'd'),
    ],
    [
      'blocks inserted at the start',
      content('y', 'a', 'b', 'c', 'd'),
      content('x', 'a', 'b', 'c', 'd'),
      content('x', 'y', 'a', 'b', 'c', 'd'),
    ],
    [
      'a block inserted after a deleted one',
      content('a', 'c', 'd'),
      content('a', 'b', 'x', 'c', 'd'),
      content('a', 'x', 'c', 'd'),
    ],
    [
      'a moved and a replaced block',
      content('d', 'a', 'b', 'c'),
      content('a', 'b', 'c', 'd=new'),
      content('d=new', 'a', 'b', 'c'),
    ],
    ['two moved blocks', content('b', 'c', 'd', 'a'), content('d', 'a', 'b', 'c'), content('d', 'b', 'c', 'a')],
    ['a block moved by both', content('b', 'c', 'd', 'a'), content('b', 'c', 'a', 'd'), content('b', 'c', 'a', 'd')],
    [
      'a block that one deletes and the other moves',
      content('b', 'c', 'd'),
      content('b', 'c', 'd', 'a'),
      content('b', 'c', 'd'),
    ],
    ['everything replaced by one side', content('x'), content('a', 'b', 'c', 'd', 'y'), content('x', 'y')],
  ])('merges %s, in both directions', (_name, one, other, expected) => {
    expect(merged(base, one, other)).toEqual(expected);
    expect(merged(base, other, one)).toEqual(expected);
  });

  it('reports every block that both sides changed', () => {
    const theirs = content('a=theirs', 'b', 'd=theirs', 'n=theirs');
    const mine = content('a=mine', 'b=mine', 'c=mine', 'n=mine');
    const [a, c, d, n] = ['a', 'c', 'd', 'n'];
    const of = (id: string, text: string) => block(id, paragraph(text));
    expect(conflictsOf(base, theirs, mine)).toEqual([
      { blockId: a, base: of('a', 'text of a'), theirs: of('a', 'theirs'), mine: of('a', 'mine') },
      { blockId: c, base: of('c', 'text of c'), theirs: null, mine: of('c', 'mine') },
      { blockId: d, base: of('d', 'text of d'), theirs: of('d', 'theirs'), mine: null },
      { blockId: n, base: null, theirs: of('n', 'theirs'), mine: of('n', 'mine') },
    ]);
  });

  it('reports blocks to which both sides moved the same value', () => {
    const value = withAttrs({ id: 'v', source: { metricId: SOME_ID }, written: '1' }, node('value'));
    const at = (place: string) =>
      doc(...['p', 'q', 'r'].map((id) => block(id, paragraph(id, ...(id === place ? [value] : [])))));
    expect(conflictsOf(at('p'), at('q'), at('r')).map(({ blockId }) => blockId)).toEqual(['q', 'r']);
  });
});

/** A change of one side; numbers are places, taken modulo the number of blocks there are. */
type Edit = { kind: 'insert' | 'delete' | 'move' | 'replace'; at: number; to: number };
const edits = fc.array(
  fc.record<Edit>({
    kind: fc.constantFrom('insert', 'delete', 'move', 'replace'),
    at: fc.nat(100),
    to: fc.nat(100),
  }),
  { maxLength: 12 },
);

/** Applies edits to blocks that the side may change, and reports which it replaced, deleted and inserted. */
function edited(base: RichText, list: readonly Edit[], side: string, mayChange: (id: string) => boolean) {
  const blocks = [...base.content];
  const [inserted, replaced, deleted] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const [number, { kind, at, to }] of list.entries()) {
    const place = at % (blocks.length + 1);
    const id = blocks[place]?.attrs.id;
    if (kind === 'insert') {
      // Both sides draw from the same random ids, so that their order differs from that of the sides.
      const name = `${(to * 37) % 101}-${side}${number}`;
      blocks.splice(place, 0, block(name, paragraph(`new ${name}`)));
      inserted.add(name);
    } else if (id !== undefined && mayChange(id)) {
      const [taken] = blocks.splice(place, 1);
      if (kind === 'move') blocks.splice(to % (blocks.length + 1), 0, taken!);
      if (kind === 'replace') blocks.splice(place, 0, block(id, paragraph(`by ${side}, ${number}`)));
      (kind === 'replace' ? replaced : kind === 'delete' ? deleted : new Set()).add(id);
    }
  }
  return { content: doc(...blocks), inserted, replaced, deleted };
}

const bases = fc.nat(20).map((count) => content(...Array.from({ length: count }, (_each, index) => `b${index}`)));
const subsequence = (order: readonly string[], of: ReadonlySet<string>) => order.filter((id) => of.has(id));

describe('merging random edits', () => {
  const numRuns = cases(500, 10_000);

  it('merges edits of different blocks, with every change of both sides, and equally in both directions', () => {
    fc.assert(
      fc.property(
        bases,
        fc.array(fc.boolean(), { minLength: 21, maxLength: 21 }),
        edits,
        edits,
        (base, owners, one, other) => {
          const isOfOne = (id: string) => !/^b\d+$/.test(id) || owners[Number(id.slice(1))]!;
          const a = edited(base, one, 'A', isOfOne);
          const b = edited(base, other, 'B', (id) => !/^b\d+$/.test(id) || !isOfOne(id));
          const result = merged(base, a.content, b.content);
          expect(merged(base, b.content, a.content)).toEqual(result);

          const found = new Map(result.content.map((each) => [each.attrs.id, each]));
          expect(found.size).toBe(result.content.length);
          const expected = new Set([...idsOf(base), ...idsOf(a.content), ...idsOf(b.content)]);
          for (const id of [...a.deleted, ...b.deleted]) expected.delete(id);
          expect(new Set(found.keys())).toEqual(expected);
          for (const side of [a, b]) {
            const own = side.content.content.filter(
              ({ attrs: { id } }) => side.inserted.has(id) || side.replaced.has(id),
            );
            for (const each of own) expect(textOf(found.get(each.attrs.id))).toBe(textOf(each));
          }
        },
      ),
      { numRuns },
    );
  });

  it('keeps the order of each side, unless blocks are moved', () => {
    const inserts = edits.map((list) => list.filter(({ kind }) => kind !== 'move'));
    fc.assert(
      fc.property(bases, inserts, inserts, (base, one, other) => {
        const a = edited(base, one, 'A', (id) => /^b\d+$/.test(id) && Number(id.slice(1)) % 2 === 0);
        const b = edited(base, other, 'B', (id) => /^b\d+$/.test(id) && Number(id.slice(1)) % 2 === 1);
        const order = idsOf(merged(base, a.content, b.content));
        for (const side of [a.content, b.content]) {
          const ids = new Set(idsOf(side));
          const there = new Set(order);
          expect(subsequence(order, ids)).toEqual(subsequence(idsOf(side), there));
        }
      }),
      { numRuns },
    );
  });

  it('reports exactly the blocks that both sides changed differently, and loses no block otherwise', () => {
    fc.assert(
      fc.property(bases, edits, edits, (base, one, other) => {
        const a = edited(base, one, 'A', () => true);
        const b = edited(base, other, 'B', () => true);
        const isIn = ({ content }: RichText, id: string) => content.some(({ attrs }) => attrs.id === id);
        const changed = (side: typeof a, id: string) =>
          isIn(side.content, id) ? side.replaced.has(id) : side.deleted.has(id);
        const both = idsOf(base).filter(
          (id) => changed(a, id) && changed(b, id) && (isIn(a.content, id) || isIn(b.content, id)),
        );
        expect(
          conflictsOf(base, a.content, b.content)
            .map(({ blockId }) => blockId)
            .sort(),
        ).toEqual(both.sort());
        expect(conflictsOf(base, b.content, a.content)).toHaveLength(both.length);
        if (both.length > 0) return;
        const result = merged(base, a.content, b.content);
        expect(merged(base, b.content, a.content)).toEqual(result);
        for (const id of [...idsOf(a.content), ...idsOf(b.content)]) {
          expect(isIn(result, id) || a.deleted.has(id) || b.deleted.has(id)).toBe(true);
        }
      }),
      { numRuns },
    );
  });
});
