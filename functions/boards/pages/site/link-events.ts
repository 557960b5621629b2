type EventType = 'filter' | 'error';
interface LinkEvent {
  type: EventType;
  cardId?: string;
}

const EVERY_MS = 5_000;
const MAX_AT_ONCE = 50;

/**
 * Counts what the reader does, several events in a request: after some seconds, and when the page is left. Views and
 * downloads are counted by the server. What cannot be sent is dropped.
 */
export function countEvents(send: (events: LinkEvent[]) => Promise<unknown>, left?: AbortSignal) {
  const waiting: LinkEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const events = waiting.splice(0, MAX_AT_ONCE);
    if (events.length > 0) void send(events).catch(() => undefined);
  };
  addEventListener('pagehide', flush, { ...(left && { signal: left }) });
  left?.addEventListener('abort', flush);
  return {
    add(type: EventType, cardId?: string): void {
      if (waiting.length < MAX_AT_ONCE) waiting.push({ type, ...(cardId !== undefined && { cardId }) });
      timer ??= setTimeout(flush, EVERY_MS);
    },
  };
}
