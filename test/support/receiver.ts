import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventIssues } from './events.ts';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** How the next requests are answered: one status each, the last one from then on. */
  answer(...statuses: number[]): void;
  answerHeaders: Record<string, string>;
  /** The body of an answer to a request. */
  answerBody(request: Received): string;
  /** How long an answer takes; 0 at first. */
  answerAfterMs: number;
  /** Resolves when that many requests have come. */
  waitFor(count: number, timeoutMs?: number): Promise<Received[]>;
  /** Fails when an event came that the catalogue does not promise so. */
  close(): Promise<void>;
}

/** A webhook receiver on loopback that caches what it got. */
export async function openReceiver(): Promise<Receiver> {
  let statuses = [200];
  const received: Received[] = [];
  const issues: string[] = [];
  const waiters = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    issues.push(eventIssues(body));
    const got = { method: request.method!, path: request.url!, headers: request.headers, body, at: Date.now() };
    received.push(got);
    for (const wake of waiters) wake();
    const status = statuses.length > 1 ? statuses.shift()! : statuses[0]!;
    if (receiver.answerAfterMs > 0) await sleep(receiver.answerAfterMs);
    response.writeHead(status, receiver.answerHeaders).end(receiver.answerBody(got));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answerHeaders: {},
    answerBody: () => 'an answer that is not to be shown',
    answerAfterMs: 0,
    answer: (...next) => {
      statuses = next;
    },
    waitFor: (count, timeoutMs = 60_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => finish(() => reject(new Error(`${received.length} of ${count} requests came in ${timeoutMs} ms`))),
          timeoutMs,
        );
        const check = () => received.length >= count && finish(() => resolve([...received]));
        const finish = (settle: () => void) => {
          clearTimeout(timer);
          waiters.delete(check);
          settle();
        };
        waiters.add(check);
        check();
      }),
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close(() => (issues.some(Boolean) ? reject(new Error(issues.join('\n'))) : resolve()));
      }),
  };
  return receiver;
}
