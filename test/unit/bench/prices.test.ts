import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentWith, type Figures } from '../../bench/document.ts';
import { PRICES } from '../../bench/prices.ts';
import { type Consumption, costOfContainerHour, costPerMillion, minus, mix, over } from '../../bench/unit-costs.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const NOTHING: Consumption = {
  apiCalls: 0,
  readUnits: 0,
  writeUnits: 0,
  stateTransitions: 0,
  lambdaInvocations: 0,
  lambdaGbSeconds: 0,
  logBytes: 0,
  s3Puts: 0,
  s3Gets: 0,
  sqsRequests: 0,
};

describe('costPerMillion', () => {
  it.each([
    ['API calls', { apiCalls: 1 }, 'apiGateway', 3.5],
    ['read units', { readUnits: 2 }, 'dynamodb', 0.25],
    ['write units', { writeUnits: 2 }, 'dynamodb', 1.25],
    ['state transitions', { stateTransitions: 4 }, 'stepFunctions', 100],
    ['a hundred milliseconds of half a gigabyte', { lambdaGbSeconds: 0.05 }, 'lambda', 0.66667],
    ['invocations', { lambdaInvocations: 1 }, 'lambda', 0.2],
    ['invocations, of which one in twenty is traced', { lambdaInvocations: 1 }, 'logsAndTraces', 0.25],
    ['a kilobyte of log', { logBytes: 1000 }, 'logsAndTraces', 0.5],
    ['objects written and read', { s3Puts: 1, s3Gets: 1 }, 's3', 5.4],
    ['requests to a fair queue', { sqsRequests: 3 }, 'sqs', 1.5],
  ] as const)('charges %s', (_what, consumed, line, dollars) => {
    expect(costPerMillion({ ...NOTHING, ...consumed }, PRICES)[line]).toBeCloseTo(dollars, 5);
  });

  it('adds the lines up', () => {
    const cost = costPerMillion({ ...NOTHING, apiCalls: 1, readUnits: 1, stateTransitions: 1 }, PRICES);
    expect(cost.total).toBeCloseTo(3.5 + 0.125 + 25, 9);
  });
});

describe('costOfContainerHour', () => {
  it('is the cost of a container in the guide for operators', () => {
    const dollars = costOfContainerHour({ vcpus: 4, memoryGb: 30, diskGb: 200 }, PRICES);
    expect(read('docs/operating.md')).toContain(`about $${dollars.toFixed(2)} an hour`);
  });
});

describe('arithmetic with consumption', () => {
  const work = { ...NOTHING, readUnits: 10, logBytes: 400 };

  it('divides by the number of times that the work was done', () => {
    expect(over(work, 4)).toMatchObject({ readUnits: 2.5, logBytes: 100 });
  });

  it('takes a part away, never below nothing', () => {
    expect(minus(work, { ...NOTHING, readUnits: 4, logBytes: 500 })).toMatchObject({ readUnits: 6, logBytes: 0 });
  });

  it('mixes two kinds of work', () => {
    expect(mix(work, 0.85, { ...NOTHING, writeUnits: 6 })).toMatchObject({
      readUnits: 8.5,
      writeUnits: expect.closeTo(0.9),
    });
  });
});

describe('docs/benchmarks.md', () => {
  it('shows what the prices and the measured figures give', () => {
    const measured = Object.values<Figures>(JSON.parse(read('test/bench/measured.json')));
    const document = read('docs/benchmarks.md');
    expect(document).toBe(documentWith(document, measured));
  });
});
