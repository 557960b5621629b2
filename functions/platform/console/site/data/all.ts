/** Enough for what a person chooses from. */
const MAX = 5_000;

/** The records of all pages of a list: `allOf(api.models.listFields(id, { limit: PAGE }))`. */
export async function allOf<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of list) {
    all.push(item);
    if (all.length === MAX) break;
  }
  return all;
}

/** The largest page of lists. */
export const PAGE = 200;
