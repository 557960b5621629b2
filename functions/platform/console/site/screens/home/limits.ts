export const MAX_OF_KIND = 5;
export const MAX_READ = 100;
export const MAX_DASHBOARDS = 8;

const DAY_MS = 24 * 60 * 60 * 1000;
const RECENT_DAYS = 7;

/** From when on failed runs are recent: the beginning of a day. */
export const recentStart = (now = Date.now()): string =>
  new Date(Math.floor(now / DAY_MS - RECENT_DAYS) * DAY_MS).toISOString();
