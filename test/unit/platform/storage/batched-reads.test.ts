import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { withBatchedReads } from '../../../../shared/platform/storage/batched-reads.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';

/** A table that has every item but those called `none`, and notes how many keys each command asks for. */
function recorded() {
  const sent: (string | number)[] = [];
  const send = async (command: unknown) => {
    if (!(command instanceof BatchGetCommand)) {
      sent.push((command as object).constructor.name);
      return { Items: [] };
    }
    const keys = command.input.RequestItems!.t!.Keys!;
    sent.push(keys.length);
    return { Responses: { t: keys.filter(({ sk }) => sk !== 'none').map((key) => ({ ...key, tags: ['a'] })) } };
  };
  return { sent, table: { name: 't', db: { send }, now: () => new Date() } as unknown as Table };
}

const get = (sk: string, more: object = {}) => new GetCommand({ TableName: 't', Key: { pk: 'p', sk }, ...more });

it('reads of one moment become reads of a hundred items, and each item is read once', async () => {
  const { sent, table } = recorded();
  const { db } = withBatchedReads(table);
  const names = Array.from({ length: 250 }, (_, index) => `s${index % 240}`);
  const found = await Promise.all([...names, 'none'].map((name) => db.send(get(name))));
  expect(found.map(({ Item }) => Item?.sk)).toEqual([...names, undefined]);
  expect(sent).toEqual([100, 100, 41]);
  found[0]!.Item!.tags.push('changed');
  expect((await db.send(get('s0'))).Item).toEqual({ pk: 'p', sk: 's0', tags: ['a'] });
  expect(sent).toHaveLength(3);
});

it('other commands, and reads of parts of items, are sent as they are', async () => {
  const { sent, table } = recorded();
  const { db } = withBatchedReads(table);
  await db.send(new QueryCommand({ TableName: 't' }));
  await db.send(get('a', { ProjectionExpression: 'tags' }));
  expect(sent).toEqual(['QueryCommand', 'GetCommand']);
});

it('a read that fails fails for all who wait for it', async () => {
  const { table } = recorded();
  const failing = { ...table, db: { send: async () => Promise.reject(new Error('down')) } } as unknown as Table;
  const { db } = withBatchedReads(failing);
  await expect(Promise.all([db.send(get('a')), db.send(get('b'))])).rejects.toThrow('down');
});
