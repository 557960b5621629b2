import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedHeaders } from '../../testing/signed-request.ts';
import { cases } from '../support/cases.ts';
import { dynoxideInstalled, type Engine, startDynoxide, startLocalCloud } from './engines.ts';
import { type Answer, comparable, isKnownDifference } from './known-differences.ts';
import { type Operation, RandomOperations } from './random-operations.ts';
import { createSampleTable } from './sample-table.ts';

const OPERATIONS_PER_SEED = cases(500, 3000);

/** Sends an operation without a client, so that nothing affects the comparison. */
async function send(engine: Engine, table: string, { name, input }: Operation): Promise<Answer> {
  const body = JSON.stringify(input).replaceAll('"TABLE"', JSON.stringify(table));
  const headers = await signedHeaders(engine.endpoint, {
    ...{ service: 'dynamodb', method: 'POST', path: '/', body },
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `DynamoDB_20120810.${name}` },
  });
  return new Promise((resolve, reject) => {
    const message = request(
      engine.endpoint,
      {
        method: 'POST',
        headers,
      },
      async (response) => {
        const text = Buffer.concat(await response.toArray()).toString();
        const answer = JSON.parse(text.replaceAll(JSON.stringify(table), '"TABLE"'));
        resolve({ status: response.statusCode ?? 0, body: canonical(answer) as Answer['body'] });
      },
    );
    message.once('error', reject);
    message.end(body);
  });
}

/** Normalises an answer: members, sets and unordered lists sorted, messages in shared words. */
function canonical(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) {
    const elements = value.map((element) => canonical(element));
    if (!['SS', 'NS', 'BS', 'unordered'].includes(name)) return elements;
    return elements.map((element) => JSON.stringify(element)).sort();
  }
  if (typeof value === 'string') return /^message$/i.test(name) ? comparable(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]): [string, unknown] => {
    const lowered = key === 'Message' ? 'message' : key;
    return [lowered, canonical(member, lowered)];
  });
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe.runIf(dynoxideInstalled)('random operations', () => {
  let ours: Engine;
  let theirs: Engine;
  beforeAll(async () => {
    [ours, theirs] = await Promise.all([startLocalCloud(), startDynoxide()]);
  });
  afterAll(() => Promise.all([ours.close(), theirs.close()]));

  it.each([1, 20260101, 777])(
    'are answered as by an independent emulator, errors and capacity included (seed %i)',
    async (seed) => {
      const [ourTable, theirTable] = [await createSampleTable(ours.client), await createSampleTable(theirs.client)];
      const operations = new RandomOperations(seed);
      const counts = { done: 0, rejected: 0, known: 0 };
      for (let number = 0; number < OPERATIONS_PER_SEED; number += 1) {
        const operation = operations.next();
        const [our, their] = await Promise.all([send(ours, ourTable, operation), send(theirs, theirTable, operation)]);
        if (isKnownDifference(operation.name, our, their)) {
          counts.known += 1;
          continue;
        }
        expect(our, `operation ${number}: ${operation.name} ${JSON.stringify(operation.input)}`).toEqual(their);
        if (our.status === 200) counts.done += 1;
        else counts.rejected += 1;
      }
      // The run only counts if it has successes and rejections, and few known differences.
      expect(counts.known).toBeLessThan(OPERATIONS_PER_SEED / 20);
      expect(Math.min(counts.done, counts.rejected)).toBeGreaterThan(OPERATIONS_PER_SEED / 10);
    },
  );
});
