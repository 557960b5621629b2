/** Where cards lie on the grid of a board, and what moving one does to the others. */

export const COLUMNS = 24;
const MAX_HEIGHT = 60;
const MAX_Y = 10_000;

export interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

const within = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

/** The place moved by cells, as far as the grid goes. */
export const moved = ({ x, y, w, h }: Place, dx: number, dy: number): Place => ({
  x: within(x + dx, 0, COLUMNS - w),
  y: within(y + dy, 0, MAX_Y),
  w,
  h,
});

/** The place with another right and bottom edge. */
export const resized = ({ x, y, w, h }: Place, dw: number, dh: number): Place => ({
  x,
  y,
  w: within(w + dw, 1, COLUMNS - x),
  h: within(h + dh, 1, MAX_HEIGHT),
});

export const isSamePlace = (one: Place, other: Place): boolean =>
  one.x === other.x && one.y === other.y && one.w === other.w && one.h === other.h;

const overlaps = (one: Place, other: Place): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;

/**
 * What changes when a card is put at a place: those that it would cover move down, and those that they cover in turn.
 * Cards that overlap elsewhere stay as they are, because somebody has put them so.
 */
export function putAt(places: ReadonlyMap<string, Place>, id: string, place: Place): Map<string, Place> {
  const changes = new Map([[id, place]]);
  const now = (each: string) => changes.get(each) ?? places.get(each)!;
  const waiting = [id];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const own = now(next);
    for (const other of places.keys()) {
      if (other === next || other === id || !overlaps(own, now(other))) continue;
      changes.set(other, { ...now(other), y: own.y + own.h });
      waiting.push(other);
    }
  }
  for (const [each, to] of changes) {
    const from = places.get(each);
    if (from && isSamePlace(from, to)) changes.delete(each);
  }
  return changes;
}

/** The first place from the top where a card of this size covers nothing. */
export function freePlace(places: Iterable<Place>, w: number, h: number): Place {
  const taken = [...places];
  const end = Math.max(0, ...taken.map((place) => place.y + place.h));
  for (let y = 0; y < end; y += 1) {
    for (let x = 0; x <= COLUMNS - w; x += 1) {
      const place = { x, y, w, h };
      if (!taken.some((each) => overlaps(place, each))) return place;
    }
  }
  return { x: 0, y: end, w, h };
}

/** The place in words, counted from 1. */
export const placeText = ({ x, y, w, h }: Place): string => `column ${x + 1}, row ${y + 1}, ${w} wide, ${h} high`;
