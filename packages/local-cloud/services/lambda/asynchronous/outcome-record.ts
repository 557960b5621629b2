import type { Execution } from '../execution/executor.ts';
import type { AsyncEvent } from './event-store.ts';

export type Condition = 'Success' | 'RetriesExhausted' | 'EventAgeExceeded';

/** A destination's record of an asynchronous event: the event, how it ended, and the function's answer. */
export function outcomeRecord(outcome: {
  event: AsyncEvent;
  functionArn: string;
  condition: Condition;
  /** Epoch milliseconds. */
  at: number;
  execution?: Execution;
}): object {
  const { event, condition, execution } = outcome;
  return {
    version: '1.0',
    timestamp: new Date(outcome.at).toISOString(),
    requestContext: {
      requestId: event.requestId,
      functionArn: outcome.functionArn,
      condition,
      approximateInvokeCount: condition === 'Success' ? event.attempts + 1 : event.attempts,
    },
    requestPayload: jsonOrText(event.payload),
    ...(execution && {
      responseContext: {
        statusCode: 200,
        executedVersion: execution.executedVersion,
        ...(execution.error && { functionError: 'Unhandled' }),
      },
      responsePayload: jsonOrText(execution.payload),
    }),
  };
}

/** A streaming handler may answer with any text. */
function jsonOrText(payload: Buffer): unknown {
  const text = payload.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
