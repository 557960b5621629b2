/** Separates what a mark is called from the row that it shows; invisible, and taken out of the picture again. */
const SEPARATOR = '\u2063';

type Json = Record<string, unknown>;

/** Marks that each show many rows. */
const OF_MANY_ROWS: ReadonlySet<unknown> = new Set(['line', 'area', 'group']);

/** Adds to the name of each mark which row it shows. Takes a specification of Vega, and changes it. */
export function markRows(spec: Json): void {
  for (const mark of (spec.marks as Json[] | undefined) ?? []) {
    markRows(mark);
    const update = (mark.encode as { update?: Json } | undefined)?.update;
    const description = update?.description as { signal?: string } | undefined;
    if (!update || description?.signal === undefined || OF_MANY_ROWS.has(mark.type)) continue;
    const row = `(isValid(datum["row"]) ? "${SEPARATOR}" + datum["row"] : "")`;
    update.description = { signal: `(${description.signal}) + ${row}` };
  }
}

const MARKED = new RegExp(`aria-label="([^"]*)${SEPARATOR}(\\d+)"`, 'g');

/** The row of a mark as an attribute of its own: `data-row="2"` is the third one. */
export const withRowAttributes = (svg: string): string => svg.replace(MARKED, 'aria-label="$1" data-row="$2"');
