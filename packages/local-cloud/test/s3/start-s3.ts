import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { allowEverything } from '../../core/access/authorizer.ts';
import { type Clock, systemClock } from '../../core/clock.ts';
import { Faults } from '../../core/faults.ts';
import { Front } from '../../core/front.ts';
import type { CloudEvent, EventsPort } from '../../core/ports.ts';
import { createS3 } from '../../services/s3/s3.ts';

const ROLE = 'arn:aws:iam::000000000000:role/test';

/** Records events; fails while `failing` is set. */
export class RecordingBus implements EventsPort {
  readonly published: CloudEvent[] = [];
  failing = false;
  #waiting: { count: number; resolve: () => void }[] = [];

  async publish(events: CloudEvent[]): Promise<void> {
    if (this.failing) throw new Error('the bus is down');
    this.published.push(...events);
    for (const waiter of this.#waiting) if (this.published.length >= waiter.count) waiter.resolve();
  }

  /** Resolves once `count` events were published. */
  async received(count: number): Promise<CloudEvent[]> {
    if (this.published.length < count) {
      await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }));
    }
    return this.published;
  }
}

export interface RunningS3 extends AsyncDisposable {
  readonly client: S3Client;
  readonly endpoint: string;
  readonly dataDir: string;
  readonly faults: Faults;
  readonly bus: RecordingBus;
  /** Lines of the service's own log. */
  readonly log: string[];
  newClient(config?: S3ClientConfig): S3Client;
  /** Credentials of a role, as a function has them. */
  roleCredentials(): S3ClientConfig['credentials'];
  /** Stops the service but keeps its folder for a later start. */
  stop(): Promise<void>;
}

/** Starts the service on a free port, by default in a folder of its own. */
export async function startS3(
  options: { clock?: Clock; region?: string; dataDir?: string; bus?: RecordingBus } = {},
): Promise<RunningS3> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 's3-'));
  const region = options.region ?? 'us-east-1';
  const faults = new Faults();
  const bus = options.bus ?? new RecordingBus();
  const log: string[] = [];
  const front = new Front();
  let endpoint = '';
  const service = createS3(
    {
      region,
      accountId: '000000000000',
      dataDir,
      clock: options.clock ?? systemClock,
      faults,
      authorizer: allowEverything,
      random: Math.random,
      endpoint: () => endpoint,
      log: (line) => log.push(line),
    },
    { events: bus },
  );
  front.add(service);
  endpoint = `http://127.0.0.1:${await front.listen(0)}`;
  const newClient = (config: S3ClientConfig = {}) =>
    new S3Client({
      endpoint,
      region,
      forcePathStyle: true,
      maxAttempts: 1,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      ...config,
    });
  const client = newClient();
  const roleCredentials = () => {
    const { accessKeyId, secretAccessKey, sessionToken } = front.credentials.issue(ROLE, 'test');
    return { accessKeyId, secretAccessKey, sessionToken };
  };
  const stop = async () => {
    client.destroy();
    await front.close();
    await service.close();
  };
  return {
    ...{ client, endpoint, dataDir, faults, bus, log, newClient, roleCredentials, stop },
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
