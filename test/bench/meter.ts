import { setTimeout as sleep } from 'node:timers/promises';
import {
  CloudWatchLogsClient,
  paginateDescribeLogGroups,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { ListExecutionsCommand, ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import type { Platform } from './platform.ts';
import { parseReport } from './reports.ts';
import type { Consumption } from './unit-costs.ts';

interface Capacity {
  dynamodb: Record<string, { read: number; write: number }>;
  sqs: { requests: number };
  states: { transitions: number };
}

/** What CloudWatch Logs adds to each event when it counts bytes. */
const EVENT_OVERHEAD_BYTES = 26;
const SETTLE_MS = 400;
const WATCH_MS = 50;

/** Reports what a piece of work consumed, from the meters of the local cloud and the reports in the functions' logs. */
export class Meter {
  readonly #platform: Platform;
  readonly #logs: CloudWatchLogsClient;
  readonly #s3: S3Client;
  readonly #states: SFNClient;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#logs = new CloudWatchLogsClient(platform.awsClient);
    this.#s3 = new S3Client(platform.awsClient);
    this.#states = new SFNClient(platform.awsClient);
  }

  /** Everything that was consumed from the start of the work until nothing follows from it any more. */
  async during(work: () => Promise<unknown>): Promise<Consumption> {
    const before = await this.#settled();
    const putsBefore = await this.#objectsPut();
    const from = Date.now();
    await work();
    const after = await this.#settled();
    const reports = await this.#reportsSince(from);
    const s3Puts = (await this.#objectsPut()) - putsBefore;
    return {
      apiCalls: 0,
      readUnits: after.read - before.read,
      writeUnits: after.write - before.write,
      stateTransitions: after.transitions - before.transitions,
      ...reports,
      s3Puts,
      // We assume that every object is read once: the functions keep what they have just written.
      s3Gets: s3Puts,
      sqsRequests: after.requests - before.requests,
    };
  }

  /** Waits until no run is under way. Asks the state machines, since asking the API would be measured too. */
  async runsEnd(): Promise<void> {
    const { stateMachines = [] } = await this.#states.send(new ListStateMachinesCommand({}));
    for (let open = true; open; await sleep(WATCH_MS)) {
      const listings = stateMachines.map(({ stateMachineArn }) =>
        this.#states.send(new ListExecutionsCommand({ stateMachineArn, statusFilter: 'RUNNING', maxResults: 1 })),
      );
      open = (await Promise.all(listings)).some(({ executions = [] }) => executions.length > 0);
    }
  }

  close(): void {
    this.#logs.destroy();
    this.#s3.destroy();
    this.#states.destroy();
  }

  /** The meters once they stand still. */
  async #settled() {
    let last = '';
    for (;;) {
      const { dynamodb, sqs, states } = await this.#platform.call<Capacity>('GET', '/_local/capacity');
      const tables = Object.values(dynamodb);
      const totals = {
        read: tables.reduce((sum, { read }) => sum + read, 0),
        write: tables.reduce((sum, { write }) => sum + write, 0),
        requests: sqs.requests,
        transitions: states.transitions,
      };
      if (JSON.stringify(totals) === last) return totals;
      last = JSON.stringify(totals);
      await sleep(SETTLE_MS);
    }
  }

  async #reportsSince(startTime: number) {
    const sum = { lambdaInvocations: 0, lambdaGbSeconds: 0, logBytes: 0 };
    for await (const { logGroups = [] } of paginateDescribeLogGroups({ client: this.#logs }, {})) {
      for (const { logGroupName } of logGroups) {
        for await (const { events = [] } of paginateFilterLogEvents(
          { client: this.#logs },
          { logGroupName, startTime },
        )) {
          for (const { message = '' } of events) {
            sum.logBytes += Buffer.byteLength(message) + EVENT_OVERHEAD_BYTES;
            const report = parseReport(message);
            if (!report) continue;
            // Without the starts of functions: at any volume worth a bill they are less than one call in a hundred.
            sum.lambdaInvocations += 1;
            sum.lambdaGbSeconds += (Math.ceil(report.durationMs) / 1000) * (report.memoryMb / 1024);
          }
        }
      }
    }
    return sum;
  }

  async #objectsPut(): Promise<number> {
    const { DATA_BUCKET } = await this.#platform.variablesOf('pipelines');
    let count = 0;
    for await (const { Contents = [] } of paginateListObjectsV2({ client: this.#s3 }, { Bucket: DATA_BUCKET })) {
      count += Contents.length;
    }
    return count;
  }
}
