import type { PRICES } from './prices.ts';

export type Prices = { [name in keyof typeof PRICES]: number };

/** What one unit of work consumed, on average. */
export interface Consumption {
  apiCalls: number;
  readUnits: number;
  writeUnits: number;
  stateTransitions: number;
  lambdaInvocations: number;
  /** Billed duration times memory, over all functions. */
  lambdaGbSeconds: number;
  logBytes: number;
  s3Puts: number;
  s3Gets: number;
  sqsRequests: number;
}

/** Kinds of work whose cost the document states. */
export const WORK = {
  read: 'API call that reads',
  create: 'API call that creates',
  mixedCall: 'API call, 85 % reads, 15 % creations',
  step: 'step after step of a chain',
  branchedStep: 'step of a run with branches',
  tenStepRun: 'run of ten steps',
  delivery: 'webhook delivery',
  busyDelivery: 'webhook delivery, many at once',
  query: 'query over ten million rows',
  cachedQuery: 'query with a cached answer',
} as const;
export type Work = keyof typeof WORK;
export type Quantities = Record<Work, Consumption>;

/** The default sampling of X-Ray: one request in twenty. */
const TRACED = 0.05;

/** Dollars for a million units of work, by the line of the bill. */
export function costPerMillion(work: Consumption, prices: Prices) {
  // Dollars for a millionth of a price "per million", times a million units of work: the two cancel out.
  const lines = {
    apiGateway: work.apiCalls * prices.apiGatewayPerMillion,
    lambda:
      work.lambdaInvocations * prices.lambdaRequestsPerMillion +
      work.lambdaGbSeconds * prices.lambdaPerGbSecond * 1_000_000,
    dynamodb:
      work.readUnits * prices.dynamodbReadUnitsPerMillion + work.writeUnits * prices.dynamodbWriteUnitsPerMillion,
    stepFunctions: work.stateTransitions * prices.stateTransitionsPerMillion,
    s3: work.s3Puts * prices.s3PutsPerMillion + work.s3Gets * prices.s3GetsPerMillion,
    sqs: work.sqsRequests * (prices.sqsRequestsPerMillion + prices.sqsFairRequestsPerMillion),
    logsAndTraces:
      (work.logBytes * 1_000_000 * prices.logsPerGb) / 1e9 + work.lambdaInvocations * TRACED * prices.tracesPerMillion,
  };
  return { ...lines, total: Object.values(lines).reduce((sum, line) => sum + line, 0) };
}

/** The size of a task. */
export interface TaskSize {
  vcpus: number;
  memoryGb: number;
  diskGb: number;
}

const FREE_DISK_GB = 20;

/** Dollars for an hour of a container with a public address. */
export function costOfContainerHour({ vcpus, memoryGb, diskGb }: TaskSize, prices: Prices): number {
  return (
    vcpus * prices.fargatePerVcpuHour +
    memoryGb * prices.fargatePerGbHour +
    Math.max(0, diskGb - FREE_DISK_GB) * prices.fargateDiskPerGbHour +
    prices.publicAddressPerHour
  );
}

export type Cost = ReturnType<typeof costPerMillion>;

/** `share` of one kind of work and the rest of another. */
export function mix(first: Consumption, share: number, second: Consumption): Consumption {
  return combine(first, second, (a, b) => a * share + b * (1 - share));
}

export function minus(all: Consumption, part: Consumption): Consumption {
  return combine(all, part, (a, b) => Math.max(0, a - b));
}

export function over(work: Consumption, count: number): Consumption {
  return combine(work, work, (a) => a / count);
}

function combine(first: Consumption, second: Consumption, merge: (a: number, b: number) => number): Consumption {
  const names = Object.keys(first) as (keyof Consumption)[];
  return Object.fromEntries(names.map((name) => [name, merge(first[name], second[name])])) as unknown as Consumption;
}
