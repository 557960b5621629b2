import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bench } from '../bench.ts';
import type { Result } from '../result.ts';
import { percentile, rounds, spread } from '../spread.ts';

const DELIVERIES = 100;
const GOAL_MS = 600;

/** From the API's reply to the first attempt's arrival at a receiver on this machine. */
export async function webhooks({ platform }: Bench): Promise<Result> {
  const receiver = await openReceiver();
  const { id } = await platform.call<{ id: string }>('POST', '/api/webhooks', {
    name: 'Latency',
    url: receiver.url,
    kind: 'generic',
    events: [],
  });
  const once = async () => {
    const arrival = receiver.next();
    await platform.call('POST', `/api/webhooks/${id}/test`);
    const repliedAt = performance.now();
    return Math.max(0, (await arrival) - repliedAt);
  };
  try {
    await rounds(5, once);
    const waits = await rounds(DELIVERIES, once);
    const whole = spread(waits);
    return {
      title: 'Webhooks: from the reply to the first attempt',
      rows: [
        { what: 'p50', unit: 'ms', measured: whole, goal: { of: 'measured', atMost: GOAL_MS } },
        { what: 'p95', unit: 'ms', measured: { ...whole, median: percentile(waits, 95) } },
      ],
      notes: [
        `${DELIVERIES} test events, one after the other: outbox item, table stream, fan-out function, queue, sender. On AWS a stream is polled four times a second, for which the goal allows.`,
      ],
    };
  } finally {
    receiver.close();
  }
}

interface Receiver {
  url: string;
  /** When the next request arrives, by `performance.now()`. */
  next(): Promise<number>;
  close(): void;
}

async function openReceiver(): Promise<Receiver> {
  let waiting: ((at: number) => void) | undefined;
  const server = createServer((request, response) => {
    waiting?.(performance.now());
    waiting = undefined;
    request.resume();
    response.writeHead(200).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    next: () =>
      new Promise((resolve) => {
        waiting = resolve;
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
