const RUNS: readonly [RegExp, string][] = [
  [/\p{Lu}+/gu, 'A'],
  [/[\p{Ll}\p{Lt}\p{Lm}\p{Lo}]+/gu, 'a'],
  [/\p{Nd}+/gu, '9'],
  [/\s+/gu, ' '],
];
const MAX_LENGTH = 60;

/** The shape of a text: a run of upper-case letters is one `A`, of other letters one `a`, of digits one `9`. */
export function patternOf(text: string): string {
  const pattern = RUNS.reduce((made, [run, sign]) => made.replace(run, sign), text);
  return pattern.length > MAX_LENGTH ? `${pattern.slice(0, MAX_LENGTH - 1)}…` : pattern;
}
