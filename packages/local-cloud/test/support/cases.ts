/**
 * How many cases a test takes: few in `npm test`, many in `npm run test:long`, which runs every file that imports this.
 */
export const cases = (few: number, many: number): number => (process.env.CASES === 'many' ? many : few);
