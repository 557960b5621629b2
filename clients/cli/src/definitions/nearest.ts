/** How many letters may differ in a name that was probably meant. */
const MAX_DISTANCE = 2;

/** The end of a sentence about an unknown name, with the known one that was probably meant. */
export function suggestion(given: string, known: readonly string[]): string {
  const [best] = known
    .map((name) => ({ name, distance: distanceOf(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.min(MAX_DISTANCE, name.length - 1))
    .sort((a, b) => a.distance - b.distance);
  if (best) return `; did you mean "${best.name}"?`;
  return known.length === 0 ? '.' : `; known are ${known.map((name) => `"${name}"`).join(', ')}.`;
}

/** The Levenshtein distance. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}
