import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientOptions, startDynamoDb } from './local-dynamodb.ts';

/** A DynamoDB implementation: ours, or the independent emulator that ours is compared with. */
export interface Engine {
  name: 'local cloud' | 'dynoxide';
  endpoint: string;
  client: DynamoDBClient;
  close(): Promise<void>;
}

/** The independent emulator is an optional package of one platform: undefined where it is not installed. */
const dynoxide = (createRequire(import.meta.url).resolve.paths('@dynoxide/linux-x64') ?? [])
  .map((folder) => join(folder, '@dynoxide/linux-x64/dynoxide'))
  .find((program) => existsSync(program));

export const dynoxideInstalled = dynoxide !== undefined;

export const engineStarters: [name: Engine['name'], start: () => Promise<Engine>][] = [
  ['local cloud', startLocalCloud],
  ...(dynoxideInstalled ? ([['dynoxide', startDynoxide]] as [Engine['name'], () => Promise<Engine>][]) : []),
];

export async function startLocalCloud(): Promise<Engine> {
  const { endpoint, client, close } = await startDynamoDb();
  return { name: 'local cloud', endpoint, client, close };
}

export async function startDynoxide(): Promise<Engine> {
  const port = await freePort();
  const child = spawn(dynoxide!, ['serve', '--port', String(port)], { stdio: ['ignore', 'ignore', 'pipe'] });
  await once(child.stderr as NonNullable<ChildProcess['stderr']>, 'data');
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient(clientOptions(endpoint));
  return {
    name: 'dynoxide',
    endpoint,
    client,
    async close() {
      client.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
