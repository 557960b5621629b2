/** The table in a target's schema that records every load into it. */
export const LEDGER = '_analytics_loads';
