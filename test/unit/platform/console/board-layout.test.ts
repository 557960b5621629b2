import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  COLUMNS,
  freePlace,
  moved,
  type Place,
  putAt,
  resized,
} from '../../../../functions/platform/console/site/data/board-layout.ts';
import { cases } from '../../../support/cases.ts';

const place = (x: number, y: number, w: number, h: number): Place => ({ x, y, w, h });
const covers = (one: Place, other: Place): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;

const places = fc
  .record({
    x: fc.integer({ min: 0, max: 20 }),
    y: fc.integer({ min: 0, max: 30 }),
    w: fc.integer({ min: 1, max: 4 }),
    h: fc.integer({ min: 1, max: 6 }),
  })
  .map(({ x, y, w, h }) => place(x, y, w, h));

describe('places of cards', () => {
  it('stay on the grid when they are moved and resized', () => {
    expect(moved(place(20, 1, 4, 2), 1, -3)).toEqual(place(20, 0, 4, 2));
    expect(moved(place(2, 1, 4, 2), -5, 2)).toEqual(place(0, 3, 4, 2));
    expect(resized(place(20, 0, 2, 2), 9, -9)).toEqual(place(20, 0, 4, 1));
  });

  it('push down what they would cover, and what that covers in turn', () => {
    const board = new Map([
      ['a', place(0, 0, 12, 4)],
      ['b', place(12, 0, 12, 4)],
      ['c', place(12, 4, 12, 4)],
      ['d', place(0, 20, 2, 2)],
    ]);
    expect(putAt(board, 'a', place(12, 1, 12, 4))).toEqual(
      new Map([
        ['a', place(12, 1, 12, 4)],
        ['b', place(12, 5, 12, 4)],
        ['c', place(12, 9, 12, 4)],
      ]),
    );
    expect(putAt(board, 'a', board.get('a')!)).toEqual(new Map());
  });

  it('are put where asked, and cover none of the cards that they have moved', () => {
    fc.assert(
      fc.property(fc.array(places, { minLength: 1, maxLength: 12 }), places, (all, to) => {
        const board = new Map(all.map((each, index) => [String(index), each]));
        const changes = putAt(board, '0', to);
        const after = new Map([...board, ...changes]);
        expect(after.get('0')).toEqual(to);
        for (const [id, each] of after) if (id !== '0') expect(covers(to, each)).toBe(false);
        for (const [id, each] of changes) if (id !== '0') expect(each.y).toBeGreaterThan(board.get(id)!.y);
      }),
      { numRuns: cases(100, 2000) },
    );
  });

  it('are free where a new card is put', () => {
    fc.assert(
      fc.property(fc.array(places, { maxLength: 12 }), fc.integer({ min: 1, max: COLUMNS }), (all, w) => {
        const free = freePlace(all, w, 3);
        expect(all.some((each) => covers(each, free))).toBe(false);
        expect(free.x + free.w).toBeLessThanOrEqual(COLUMNS);
      }),
      { numRuns: cases(100, 2000) },
    );
  });
});
