/** Server-sent events as text (https://html.spec.whatwg.org/multipage/server-sent-events.html). */

/** How long a client waits before it reconnects. */
export const RETRY_FRAME = 'retry: 2000\n\n';

/**
 * One event. JSON has no line breaks, so the data is one line. `id` is what the client sends back when it reconnects.
 */
export function frame(event: string, id: number, data: unknown): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The last event that a client has received; undefined for a missing or malformed header. */
export function lastEventId(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
