import { CUSTOMERS, ORDER_ROWS, QUESTIONS } from '../orders.ts';
import type { Result, Row, Unit } from '../result.ts';
import { counted } from '../scale.ts';
import { ratios, rounds, spread } from '../spread.ts';
import type { Answering, QuestionName } from './answering.ts';

const ROUNDS = 8;
const AT_ONCE = 12;
const CLIENTS = 16;
const ANSWERS_PER_CLIENT = 25;
const LONG_ROUNDS = 4;
const RESTARTS = 3;
const WARM_UPS = 12;
const MANY_ROWS = Math.min(100_000, ORDER_ROWS);
const NAMES: QuestionName[] = Object.keys(QUESTIONS);

interface Measured {
  what: string;
  unit: Unit;
  /** One figure of one product. */
  once(product: Answering, round: number): Promise<number>;
  rounds: number;
}

/** The same questions to the platform and to others, in turns. Throws when two of them answer with other numbers. */
export async function comparedAnswers(own: Answering, peers: readonly Answering[]): Promise<Result> {
  const products = [own, ...peers];
  try {
    for (const peer of peers) await peer.start();
    await assertEqual(products);
    // Their code is compiled while they answer; what that costs the first reader is the last row.
    for (const product of products) await warmUp(product);
    const rows: Row[] = [];
    for (const each of measured()) {
      const found = await rounds(each.rounds, async (round) => {
        const figures: number[] = [];
        // Another product is first in each round.
        for (let turn = 0; turn < products.length; turn += 1) {
          const index = (turn + round) % products.length;
          figures[index] = await each.once(products[index]!, round);
        }
        return figures;
      });
      peers.forEach((peer, index) => {
        rows.push(row(`${each.what}; against ${peer.name}`, each.unit, { found, index: index + 1 }));
      });
    }
    return {
      title: `The same answers from ${peers.map(({ name }) => name).join(' and ')}`,
      rows,
      notes: [
        `${counted(ORDER_ROWS)} orders and ${counted(CUSTOMERS)} customers. The others read a native DuckDB file; the platform reads the versions of two datasets, after its engines have made native copies. All answers have the same numbers, to the cent. Times are those of whole requests, in turns, after ${WARM_UPS} of each that are not counted. A fresh answer is computed again; of cached ones, everything is cached. Superset runs two processes with eight threads and caches in files; Cube is one process that caches in memory. Neither checks rights on rows or stores an answer durably before it is returned.`,
        `Many rows are a CSV file in Superset, JSON in Cube, and here the file of a dashboard's table, made, stored and fetched.`,
      ],
      bound:
        'of fresh answers, the check of each statement and the three processes that it passes; of cached ones, the gateway, the function and the request to the table. All share two cores.',
    };
  } finally {
    for (const product of peers) await product.stop();
  }
}

function measured(): Measured[] {
  const one = (fresh: boolean) =>
    NAMES.map(
      (name): Measured => ({
        what: `${name}, ${fresh ? 'fresh' : 'cached'}`,
        unit: 'ms',
        rounds: ROUNDS,
        once: async (product, round) => {
          if (!fresh) await product.ask(name, { fresh, variant: 0 });
          return (await product.ask(name, { fresh, variant: fresh ? round : 0 })).ms;
        },
      }),
    );
  return [
    ...one(true),
    {
      what: `${AT_ONCE} of these at once, fresh, the last`,
      unit: 'ms',
      rounds: LONG_ROUNDS,
      once: (each) => atOnce(each, true),
    },
    ...one(false),
    {
      what: `${AT_ONCE} of these at once, cached, the last`,
      unit: 'ms',
      rounds: ROUNDS,
      once: async (product, round) => {
        if (round === 0) await atOnce(product, false);
        return atOnce(product, false);
      },
    },
    { what: `answers for ${CLIENTS} clients, cached`, unit: '/s', rounds: LONG_ROUNDS, once: rate },
    { what: `${counted(MANY_ROWS)} rows`, unit: 'ms', rounds: LONG_ROUNDS, once: (each) => each.manyRows(MANY_ROWS) },
    { what: 'the first answer after the start', unit: 'ms', rounds: RESTARTS, once: afterStart },
  ];
}

async function warmUp(product: Answering): Promise<void> {
  for (let turn = 1; turn <= WARM_UPS; turn += 1) {
    for (const name of NAMES) await product.ask(name, { fresh: true, variant: 100 + turn });
  }
}

async function atOnce(product: Answering, fresh: boolean): Promise<number> {
  const startedAt = performance.now();
  const asked = Array.from({ length: AT_ONCE }, (_, variant) =>
    product.ask(NAMES[variant % NAMES.length]!, { fresh, variant }),
  );
  await Promise.all(asked);
  return performance.now() - startedAt;
}

/** Answers a second. */
async function rate(product: Answering): Promise<number> {
  const ask = (turn: number) => product.ask(NAMES[turn % NAMES.length]!, { fresh: false, variant: 0 });
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: CLIENTS }, (_, client) => rounds(ANSWERS_PER_CLIENT, (turn) => ask(client + turn))),
  );
  return (CLIENTS * ANSWERS_PER_CLIENT * 1000) / (performance.now() - startedAt);
}

async function afterStart(product: Answering, round: number): Promise<number> {
  await product.stop();
  await product.start();
  return (await product.ask(NAMES[0]!, { fresh: true, variant: 500 + round })).ms;
}

async function assertEqual([own, ...peers]: readonly Answering[]): Promise<void> {
  for (const name of NAMES) {
    const expected = (await own!.ask(name, { fresh: true, variant: 0 })).rows;
    for (const peer of peers) {
      const { rows } = await peer.ask(name, { fresh: true, variant: 0 });
      const at = expected.findIndex((line, index) => line !== rows[index]);
      if (rows.length === expected.length && at < 0) continue;
      throw new Error(
        `${peer.name} answered ${name} with ${rows.length} rows, the platform with ${expected.length}; the first difference: ${rows[at]} in place of ${expected[at]}`,
      );
    }
  }
}

function row(what: string, unit: Unit, { found, index }: { found: number[][]; index: number }): Row {
  const [ours, theirs] = [found.map(([first]) => first!), found.map((figures) => figures[index]!)];
  return {
    what,
    unit,
    measured: spread(ours),
    reference: spread(theirs),
    ratio: unit === '/s' ? ratios(theirs, ours) : ratios(ours, theirs),
    goal: { of: 'ratio', atMost: 1 },
  };
}
