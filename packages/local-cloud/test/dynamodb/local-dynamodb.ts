import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { allowEverything } from '../../core/access/authorizer.ts';
import { type Clock, systemClock } from '../../core/clock.ts';
import { Faults } from '../../core/faults.ts';
import { Front } from '../../core/front.ts';
import { createDynamoDb, type DynamoDb } from '../../services/dynamodb/dynamodb.ts';

/** The local cloud's DynamoDB on a free port, with clients that never retry. */
export interface LocalDynamoDb {
  endpoint: string;
  client: DynamoDBClient;
  streams: DynamoDBStreamsClient;
  service: DynamoDb;
  faults: Faults;
  /** Closes the service and opens another one on the same files. */
  restart(): Promise<LocalDynamoDb>;
  close(): Promise<void>;
}

export function clientOptions(endpoint: string) {
  return {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  };
}

export async function startDynamoDb(options: { clock?: Clock; dataDir?: string } = {}): Promise<LocalDynamoDb> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'dynamodb-'));
  const clock = options.clock ?? systemClock;
  const faults = new Faults();
  const front = new Front();
  let endpoint = '';
  const service = createDynamoDb({
    region: 'us-east-1',
    accountId: '000000000000',
    dataDir,
    clock,
    faults,
    authorizer: allowEverything,
    random: Math.random,
    endpoint: () => endpoint,
    log: () => {},
  });
  front.add(service);
  endpoint = `http://127.0.0.1:${await front.listen(0)}`;
  const client = new DynamoDBClient(clientOptions(endpoint));
  const streams = new DynamoDBStreamsClient(clientOptions(endpoint));
  const stop = async () => {
    client.destroy();
    streams.destroy();
    await front.close();
    await service.close();
  };
  return {
    endpoint,
    client,
    streams,
    service,
    faults,
    async restart() {
      await stop();
      return startDynamoDb({ clock, dataDir });
    },
    async close() {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
