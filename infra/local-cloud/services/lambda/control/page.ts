const MOST_ITEMS = 50;

/** One page of a list: `Marker` is the position to go on from. */
export function page(
  member: string,
  all: object[],
  { Marker, MaxItems }: { Marker?: string; MaxItems?: number },
): Record<string, unknown> {
  const start = Marker === undefined ? 0 : Number(Marker);
  const end = start + Math.min(MaxItems ?? MOST_ITEMS, MOST_ITEMS);
  return { [member]: all.slice(start, end), ...(end < all.length && { NextMarker: String(end) }) };
}
