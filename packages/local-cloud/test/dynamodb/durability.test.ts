import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  paginateQuery,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../core/access/principal.ts';
import { clientOptions, startDynamoDb } from './local-dynamodb.ts';
import { createSampleTable, type Item, person } from './sample-table.ts';

const program = fileURLToPath(new URL('./durable-process.ts', import.meta.url));

async function startProcess(dataDir: string): Promise<{ child: ChildProcess; client: DynamoDBClient }> {
  const child = fork(program, [dataDir], { execArgv: [] });
  const [port] = (await once(child, 'message')) as [number];
  return { child, client: new DynamoDBClient(clientOptions(`http://127.0.0.1:${port}`)) };
}

describe('a DynamoDB killed under concurrent writers', () => {
  let dataDir: string;
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'dynamodb-kill-'));
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it('has every acknowledged write, only complete transactions, and matching indexes and streams', async () => {
    const { child, client } = await startProcess(dataDir);
    const table = await createSampleTable(client, {
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    });
    const acknowledged = { single: new Set<string>(), pairs: new Set<string>() };
    const inTeam: Item = { team: { S: 'all' }, age: { N: '1' } };
    let killed = false;
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let number = 0; !killed; number += 1) {
        const sk = writer * 1_000_000 + number;
        try {
          if (writer % 2 === 0) {
            await client.send(new PutItemCommand({ TableName: table, Item: person('single', sk, inTeam) }));
            acknowledged.single.add(String(sk));
          } else {
            const put = (pk: string) => ({ Put: { TableName: table, Item: person(pk, sk, inTeam) } });
            await client.send(new TransactWriteItemsCommand({ TransactItems: [put('left'), put('right')] }));
            acknowledged.pairs.add(String(sk));
          }
          if (acknowledged.single.size + acknowledged.pairs.size === 600) child.kill('SIGKILL');
        } catch (error) {
          if (!child.killed) throw error;
          killed = true;
        }
      }
    });
    await once(child, 'exit');
    killed = true;
    await Promise.all(writers);
    client.destroy();

    const db = await startDynamoDb({ dataDir });
    try {
      const sortKeys = async (pk: string) => {
        const keys = new Set<string>();
        const query = {
          TableName: table,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': { S: pk } },
        };
        for await (const page of paginateQuery({ client: db.client }, query)) {
          for (const { sk } of page.Items ?? []) keys.add(sk?.N as string);
        }
        return keys;
      };
      const [single, left, right] = [await sortKeys('single'), await sortKeys('left'), await sortKeys('right')];
      expect([...acknowledged.single].filter((sk) => !single.has(sk))).toEqual([]);
      expect([...acknowledged.pairs].filter((sk) => !left.has(sk))).toEqual([]);
      expect(left).toEqual(right);
      expect(acknowledged.single.size + acknowledged.pairs.size).toBeGreaterThanOrEqual(600);

      const total = single.size + left.size + right.size;
      let indexed = 0;
      const byTeam = {
        TableName: table,
        IndexName: 'byTeam',
        KeyConditionExpression: 'team = :all',
        ExpressionAttributeValues: { ':all': { S: 'all' } },
      };
      for await (const page of paginateQuery({ client: db.client }, byTeam)) indexed += page.Count ?? 0;
      expect(indexed).toBe(total);
      const { Table } = await db.client.send(new DescribeTableCommand({ TableName: table }));
      const { records } = db.service.read({ caller: ROOT, streamArn: Table?.LatestStreamArn as string, max: 100_000 });
      expect(records).toHaveLength(total);
    } finally {
      await db.close();
    }
  });
});
