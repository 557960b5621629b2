import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** HTTP dates have whole seconds. */
const DATE_STEP_MS = 1000;

/** Smaller differences between clocks do not matter and are ignored. */
const TOLERATED_MS = 5_000;

/**
 * The time of this machine's clock, corrected by the dates in the service's responses. Leases are written by one
 * machine and checked by another, and a machine's clock may be off by minutes.
 */
export function serviceClock(client: DynamoDBClient, localMs: () => number = Date.now): () => Date {
  let offsetMs = 0;
  client.middlewareStack.add(
    (next) => async (args) => {
      const askedAt = localMs();
      const reply = await next(args);
      const serviceMs = Date.parse(dateOf(reply.response) ?? '');
      // The service set the date between request and response; a correction within these bounds stays.
      const min = serviceMs - localMs() - TOLERATED_MS;
      const max = serviceMs + DATE_STEP_MS - askedAt + TOLERATED_MS;
      if (!Number.isNaN(serviceMs)) offsetMs = Math.min(Math.max(offsetMs, min), max);
      return reply;
    },
    // Close to the wire, so that error responses count too.
    { step: 'deserialize', priority: 'low', name: 'serviceClock' },
  );
  return () => new Date(localMs() + offsetMs);
}

const dateOf = (response: unknown): string | undefined =>
  (response as { headers?: Record<string, string> } | undefined)?.headers?.date;
