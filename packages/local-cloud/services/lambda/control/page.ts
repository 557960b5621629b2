const MAX_ITEMS = 50;

/** One page of a list: `Marker` is the position of the next page. */
export function page(
  member: string,
  all: object[],
  { Marker, MaxItems }: { Marker?: string; MaxItems?: number },
): Record<string, unknown> {
  const start = Marker === undefined ? 0 : Number(Marker);
  const end = start + Math.min(MaxItems ?? MAX_ITEMS, MAX_ITEMS);
  return { [member]: all.slice(start, end), ...(end < all.length && { NextMarker: String(end) }) };
}
