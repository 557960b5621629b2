/**
 * Makes valid, unique column names: surrounding white space is removed, an empty name becomes its position
 * (`column_3`), and a repeated one, ignoring case, gets the next free number (`id_2`).
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
