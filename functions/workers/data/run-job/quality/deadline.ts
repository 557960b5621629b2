/** As long as given, or until the deadline by `performance.now()`. */
export const leftUntil = (deadline: number, ms: number): number =>
  Math.max(1, Math.min(ms, Math.round(deadline - performance.now())));
