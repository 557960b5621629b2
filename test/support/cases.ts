/**
 * How many random cases a test takes: few in `npm test`, many in `npm run test:long`, which runs every file that
 * imports this.
 */
export const cases = (few: number, many: number): number => (TAKES_MANY ? many : few);

/** A sample of a list whose every entry is a case of its own; the whole list in `npm run test:long`. */
export const sample = <T>(all: readonly T[], isInSample: (entry: T, index: number) => boolean): readonly T[] =>
  TAKES_MANY ? all : all.filter(isInSample);

const TAKES_MANY = process.env.CASES === 'many';
