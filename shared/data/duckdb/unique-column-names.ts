/**
 * Names fit for columns: white space around them goes, an empty one is called by its place (`column_3`), and one that was there
 * before (upper and lower case do not count) gets the next free number (`id_2`).
 */
export function columnNames(found: readonly string[]): string[] {
  const taken = new Set<string>();
  return found.map((name, index) => {
    const wanted = name.trim() || `column_${index + 1}`;
    let free = wanted;
    for (let n = 2; taken.has(free.toLowerCase()); n += 1) free = `${wanted}_${n}`;
    taken.add(free.toLowerCase());
    return free;
  });
}
