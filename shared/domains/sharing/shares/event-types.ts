/** What readers of links do; apart from schemas, which functions that only end links do not need. */
export const EVENT_TYPES = ['view', 'filter', 'select', 'export', 'error'] as const;
export type EventType = (typeof EVENT_TYPES)[number];
