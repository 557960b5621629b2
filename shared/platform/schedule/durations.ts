/** Not the length of every local day: one is an hour shorter, another longer where clocks change. */
export const DAY_MS = 24 * 60 * 60 * 1000;
