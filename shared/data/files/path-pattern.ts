/**
 * Whether a path matches a pattern: `*` matches any characters within a folder, `?` one character, and a folder `**`
 * any number of folders. Takes at most time proportional to the product of both lengths.
 */
export function fitsPattern(path: string, pattern: string): boolean {
  return fits(path.split('/'), pattern.split('/'), {
    isMany: (folder) => folder === '**',
    isSame: (name, folder) =>
      fits([...name], [...folder], { isMany: (sign) => sign === '*', isSame: (a, b) => b === '?' || a === b }),
  });
}

interface Signs {
  isMany(sign: string): boolean;
  isSame(part: string, sign: string): boolean;
}

/** Backtracks to the last wildcard only: what an earlier one matched need not change. */
function fits(parts: readonly string[], signs: readonly string[], { isMany, isSame }: Signs): boolean {
  let [part, sign] = [0, 0];
  let many: { sign: number; part: number } | undefined;
  while (part < parts.length) {
    if (sign < signs.length && isMany(signs[sign]!)) {
      many = { sign, part };
      sign += 1;
    } else if (sign < signs.length && isSame(parts[part]!, signs[sign]!)) {
      part += 1;
      sign += 1;
    } else if (many) {
      many.part += 1;
      part = many.part;
      sign = many.sign + 1;
    } else {
      return false;
    }
  }
  return signs.slice(sign).every(isMany);
}
