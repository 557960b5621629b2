/** Words that are more frequent are not followed. */
export const MAX_OCCURRENCES = 100;

/** Where a text contains a part, at most one place more than are followed. */
export function placesOf(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0 && found.length <= MAX_OCCURRENCES; at = text.indexOf(part, at + 1)) {
    found.push(at);
  }
  return found;
}
