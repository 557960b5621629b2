import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientOptions, startDynamoDb } from './local-dynamodb.ts';

/** Something that speaks DynamoDB: ours, or the independent emulator that ours is compared with. */
export interface Engine {
  name: 'local cloud' | 'dynoxide';
  endpoint: string;
  client: DynamoDBClient;
  close(): Promise<void>;
}

const dynoxide = fileURLToPath(new URL('../../../node_modules/@dynoxide/linux-x64/dynoxide', import.meta.url));

/** The independent emulator is an optional package of one platform. */
export const dynoxideInstalled = existsSync(dynoxide);

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
  const child = spawn(dynoxide, ['serve', '--port', String(port)], { stdio: ['ignore', 'ignore', 'pipe'] });
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
