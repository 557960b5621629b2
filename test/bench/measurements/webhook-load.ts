import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../../shared/platform/storage/ids.ts';
import type { Bench } from '../bench.ts';
import { EVENT, EventSource } from '../event-source.ts';
import { Meter } from '../meter.ts';
import type { Platform } from '../platform.ts';
import type { Result } from '../result.ts';
import { percentile, spread } from '../spread.ts';
import { over } from '../unit-costs.ts';

const BURST = 1000;
const EVERY_MS = 50;
/** As long as two rounds of the others take, so that each measurement has as many of them. */
const STEADY = 200;
const HANGING = 100;
const OTHERS_EVERY_MS = 5000;
/** Longer than an attempt may take. */
const HANGS_MS = 12_000;
/** The attempts after which the platform knows that an endpoint hangs. */
const WARM_UP_MS = 25_000;
/** What has not arrived by then counts as if it had. */
const LONGEST_WAIT_MS = 30_000;
/** Sent only to the hanging endpoints. */
const OTHER_EVENT = 'webhook.test';

/**
 * How many deliveries a second there are and what each costs, and what a hundred endpoints that never answer do to the
 * others. Ends within three minutes, whatever happens.
 */
export async function webhookLoad({ platform }: Bench): Promise<Result> {
  const arrivals = new Map<string, number>();
  const receiver = await listen(async (request, response) => {
    const { data } = JSON.parse(await text(request));
    if (!arrivals.has(data.webhookId)) arrivals.set(data.webhookId, performance.now());
    response.writeHead(200).end();
  });
  let hangs = false;
  const hole = await listen(async (_request, response) => {
    if (!hangs) return void response.writeHead(200).end();
    await sleep(HANGS_MS, undefined, { ref: false });
    response.destroy();
  });
  const events = await EventSource.open(platform);
  const meter = new Meter(platform);
  const subscribed = [await subscribe(platform, receiver.url, EVENT)];
  const waitsOf = (emitted: Map<string, number>) => arrivalsOf(emitted, arrivals);
  let other: NodeJS.Timeout | undefined;
  try {
    await waitsOf(await emitSteadily(events, 20));
    let emitted = new Map<string, number>();
    const burst = await meter.during(async () => {
      emitted = await emitAtOnce(events, BURST);
      await waitsOf(emitted);
    });
    const last = Math.max(...[...emitted.keys()].map((mark) => arrivals.get(mark) ?? Number.POSITIVE_INFINITY));
    const perSecond = (BURST * 1000) / (last - Math.min(...emitted.values()));
    const alone = await waitsOf(await emitSteadily(events, STEADY));

    for (let index = 0; index < HANGING; index += 1) subscribed.push(await subscribe(platform, hole.url, OTHER_EVENT));
    const tellOthers = () => void events.emit(newId(), OTHER_EVENT).catch(() => undefined);
    other = setInterval(tellOthers, OTHERS_EVERY_MS);
    tellOthers();
    await sleep(OTHERS_EVERY_MS);
    const working = await waitsOf(await emitSteadily(events, STEADY));
    hangs = true;
    const [first] = await Promise.all([emitSteadily(events, STEADY).then(waitsOf), sleep(WARM_UP_MS)]);
    const beside = await waitsOf(await emitSteadily(events, STEADY));

    const at = (waits: readonly number[], percent: number) => ({
      ...spread(waits),
      median: percentile(waits, percent),
    });
    const row = (what: string, waits: readonly number[], percent: number) => ({
      what: `${what}, p${percent}`,
      unit: 'ms' as const,
      measured: at(waits, percent),
    });
    const rows = (what: string, waits: readonly number[]) => [50, 95, 99].map((percent) => row(what, waits, percent));
    const against = (reference: readonly number[], waits: readonly number[]) => ({
      reference: at(reference, 95),
      ratio: spread([percentile(waits, 95) / percentile(reference, 95)]),
      goal: { of: 'ratio' as const, atMost: 1.2 },
    });
    const beginning = 'the same while these begin to hang';
    const hanging = 'the same after they have hung for a while';
    return {
      title: 'Webhooks: many at once, and beside hanging receivers',
      rows: [
        { what: `${BURST} events at once`, unit: '/s', measured: spread([perSecond]) },
        ...rows('event to first attempt', alone),
        ...rows(`the same beside ${HANGING} endpoints that answer`, working),
        ...rows(beginning, first),
        ...rows(hanging, beside),
        { ...row(`${beginning}, against those that answer`, first, 95), ...against(working, first) },
        { ...row(`${hanging}, against those that answer`, beside, 95), ...against(working, beside) },
        { ...row(`${hanging}, against none`, beside, 95), ...against(alone, beside) },
      ],
      notes: [
        `${STEADY} events at ${1000 / EVERY_MS} a second to one endpoint. The ${HANGING} others belong to the same workspace and receive an event every five seconds. At first they answer at once, then they hold each request for the whole timeout of ten seconds, for ${WARM_UP_MS / 1000} s before the last figures. The difference between the second and the first three figures is the effect of their number on this machine: an event for a hundred endpoints is a hundred deliveries at once, which occupy the cores. So the goal is measured twice: against the same endpoints while they answer, and against none.`,
        `The consumption of a delivery is counted over the ${BURST} events at once, each with its event; Lambda time is that of senders that share the cores of this machine.`,
      ],
      bound: 'the cores of this machine, which run the queue, the table and every sender.',
      quantities: { busyDelivery: over(burst, BURST) },
    };
  } finally {
    clearInterval(other);
    meter.close();
    events.close();
    receiver.close();
    hole.close();
    for (const id of subscribed) await platform.call('DELETE', `/api/webhooks/${id}`);
  }
}

/** Answers the webhook's id. */
async function subscribe(platform: Platform, url: string, event: string): Promise<string> {
  const webhook = { name: 'Load', url, kind: 'generic', events: [event] };
  return (await platform.call<{ id: string }>('POST', '/api/webhooks', webhook)).id;
}

/** When each was emitted, by its mark. */
async function emitAtOnce(events: EventSource, count: number): Promise<Map<string, number>> {
  const emitted = new Map<string, number>();
  let left = count;
  const emitter = async () => {
    while (left > 0) {
      left -= 1;
      const mark = newId();
      emitted.set(mark, performance.now());
      await events.emit(mark);
    }
  };
  await Promise.all(Array.from({ length: 32 }, emitter));
  return emitted;
}

async function emitSteadily(events: EventSource, count: number): Promise<Map<string, number>> {
  const emitted = new Map<string, number>();
  for (let index = 0; index < count; index += 1) {
    const mark = newId();
    emitted.set(mark, performance.now());
    await Promise.all([events.emit(mark), sleep(EVERY_MS)]);
  }
  return emitted;
}

/** Milliseconds from each event to its arrival, once all have arrived or waited for long enough. */
async function arrivalsOf(emitted: Map<string, number>, arrivals: Map<string, number>): Promise<number[]> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  const isComplete = () => [...emitted.keys()].every((mark) => arrivals.has(mark));
  while (!isComplete() && performance.now() < deadline) await sleep(50);
  return [...emitted].map(([mark, at]) => (arrivals.get(mark) ?? deadline) - at);
}

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
