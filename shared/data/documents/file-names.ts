// biome-ignore lint/suspicious/noControlCharactersInRegex: no file system takes them
const FORBIDDEN = /[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069\\/:*?"<>|]/g;
const MAX_LENGTH = 100;

/** The name as that of a file on any system, without an extension. */
export function fileBaseName(name: string, fallback: string): string {
  const clean = [...name.toWellFormed().replace(FORBIDDEN, ' ').replace(/\s+/g, ' ').trim()]
    .slice(0, MAX_LENGTH)
    .join('')
    .replace(/^[. ]+|[. ]+$/g, '');
  return clean === '' ? fallback : clean;
}

/** The names, each made unique by a number; case does not matter. `maxLength` bounds a name with its number. */
export function uniqueNames(names: readonly string[], maxLength = MAX_LENGTH + 8): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    for (let number = 1; ; number += 1) {
      const suffix = number === 1 ? '' : ` (${number})`;
      const candidate = `${cutTo(name, maxLength - suffix.length)}${suffix}`;
      if (taken.has(candidate.toLowerCase())) continue;
      taken.add(candidate.toLowerCase());
      return candidate;
    }
  });
}

/** Cuts by UTF-16 units, but never within a character. */
function cutTo(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
