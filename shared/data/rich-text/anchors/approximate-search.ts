export interface Match {
  start: number;
  end: number;
  errors: number;
}

/**
 * The part of `text` between two offsets that differs from a pattern by the fewest inserted, deleted and replaced
 * characters; undefined if every part has more than `maxErrors`. Of equal ones, the first whose length is nearest to
 * that of the pattern. Only the prefixes of the pattern that can still match are compared (Ukkonen's cut-off).
 */
export function bestMatch(
  text: string,
  pattern: string,
  maxErrors: number,
  { from = 0, to = text.length } = {},
): Match | undefined {
  const length = pattern.length;
  const tooMany = maxErrors + 1;
  /** For each prefix of the pattern: the errors of its best match that ends here, and where that match starts. */
  const costs = new Int32Array(length + 1).map((_zero, index) => Math.min(index, tooMany));
  const starts = new Int32Array(length + 1).fill(from);
  let last = Math.min(maxErrors, length);
  let best: Match | undefined;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    let diagonal = 0;
    let diagonalStart = at;
    starts[0] = at + 1;
    const end = Math.min(last + 1, length);
    last = 0;
    for (let index = 1; index <= end; index += 1) {
      const [left, leftStart] = [costs[index]!, starts[index]!];
      let cost = diagonal + (pattern.charCodeAt(index - 1) === code ? 0 : 1);
      let start = diagonalStart;
      if (costs[index - 1]! + 1 < cost) [cost, start] = [costs[index - 1]! + 1, starts[index - 1]!];
      if (left + 1 < cost) [cost, start] = [left + 1, leftStart];
      [diagonal, diagonalStart] = [left, leftStart];
      costs[index] = Math.min(cost, tooMany);
      starts[index] = start;
      if (cost <= maxErrors) last = index;
    }
    if (last === length && isBetter({ start: starts[length]!, end: at + 1, errors: costs[length]! }, best, length)) {
      best = { start: starts[length]!, end: at + 1, errors: costs[length]! };
    }
  }
  return best;
}

function isBetter(match: Match, best: Match | undefined, length: number): boolean {
  if (!best || match.errors !== best.errors) return !best || match.errors < best.errors;
  const difference = ({ start, end }: Match) => Math.abs(end - start - length);
  return difference(match) < difference(best);
}
