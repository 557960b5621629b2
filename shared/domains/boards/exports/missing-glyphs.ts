const MAX_LISTED = 20;

/** The warning about characters that a file cannot show. */
export function missingGlyphs(missing: Iterable<string>): string[] {
  const codes = [...missing].slice(0, MAX_LISTED).map((each) => `U+${each.codePointAt(0)!.toString(16).toUpperCase()}`);
  return codes.length > 0 ? [`MISSING_GLYPHS ${codes.join(' ')}`] : [];
}
