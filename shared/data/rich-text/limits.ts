/** A section with more is split by its authors; readers and merges stay fast below it. */
export const MAX_BLOCKS = 500;
/** The nesting of nodes: a block of the section has depth 1, the text of a list in a list depth 6. */
export const MAX_DEPTH = 12;
/** The JSON text of the content of a section, as UTF-8. */
export const MAX_CONTENT_BYTES = 262_144;
