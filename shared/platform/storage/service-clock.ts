import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** A date of HTTP counts whole seconds. */
const DATE_STEP_MS = 1000;

/** Clocks that differ by less are told apart by nothing that matters, and are left alone. */
const TOLERATED_MS = 5_000;

/**
 * The time by this machine's clock, put right by the service where that differs: each of its replies carries a date. Leases are
 * written by one machine and checked by another, and a machine's clock may be minutes off.
 */
export function serviceClock(client: DynamoDBClient, ownMs: () => number = Date.now): () => Date {
  let offsetMs = 0;
  client.middlewareStack.add(
    (next) => async (args) => {
      const askedAt = ownMs();
      const reply = await next(args);
      const told = Date.parse(dateOf(reply.response) ?? '');
      // It was told at some time between the question and now; whatever fits to that stays as it is.
      const least = told - ownMs() - TOLERATED_MS;
      const most = told + DATE_STEP_MS - askedAt + TOLERATED_MS;
      if (!Number.isNaN(told)) offsetMs = Math.min(Math.max(offsetMs, least), most);
      return reply;
    },
    // Next to the wire: replies that are errors tell the time too.
    { step: 'deserialize', priority: 'low', name: 'serviceClock' },
  );
  return () => new Date(ownMs() + offsetMs);
}

const dateOf = (response: unknown): string | undefined =>
  (response as { headers?: Record<string, string> } | undefined)?.headers?.date;
