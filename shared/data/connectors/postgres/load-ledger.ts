/** The table of a target's schema in which every load into it has a line. */
export const LEDGER = '_analytics_loads';
