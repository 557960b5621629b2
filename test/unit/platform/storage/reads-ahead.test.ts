import { BatchGetCommand, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { readItems } from '../../../../shared/platform/storage/read-items.ts';
import { fromTable, readsAhead } from '../../../../shared/platform/storage/reads-ahead.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const keyOf = (sk: string) => ({ pk: 'reads-ahead', sk });

function setup() {
  const table = local.open();
  const sent: unknown[] = [];
  const send = async (command: unknown) => {
    sent.push(command);
    return (table.db.send as (command: unknown) => Promise<unknown>)(command);
  };
  const counted = { ...table, db: Object.create(table.db, { send: { value: send } }) as Table['db'] };
  const put = (sk: string, value: string) =>
    table.db.send(new PutCommand({ TableName: table.name, Item: { ...keyOf(sk), value } }));
  const { during, table: ahead } = readsAhead(counted);
  const get = async (sk: string) =>
    (await ahead.db.send(new GetCommand({ TableName: table.name, Key: keyOf(sk), ConsistentRead: true }))).Item?.value;
  const rounds = async (work: () => Promise<unknown>) => {
    sent.length = 0;
    const result = await work();
    return { result, sent: sent.length };
  };
  return { ahead, during, get, put, rounds };
}

it('an equal request reads all that it has read before in one round, and sees what has changed', async () => {
  const { ahead, during, get, put, rounds } = setup();
  await put('a', '1');
  await put('b', '2');
  const work = async () => {
    const [a, none] = [await get('a'), await get('none')];
    const items = await readItems(ahead, [keyOf('b'), keyOf('gone')]);
    return [a, none, items.map(({ value }) => value)];
  };
  expect(await rounds(() => during('request', work))).toEqual({ result: ['1', undefined, ['2']], sent: 3 });
  expect(await rounds(() => during('request', work))).toEqual({ result: ['1', undefined, ['2']], sent: 1 });
  await put('a', '3');
  await put('none', '4');
  expect(await rounds(() => during('request', work))).toEqual({ result: ['3', '4', ['2']], sent: 1 });
  expect(await rounds(() => during('another', work))).toEqual({ result: ['3', '4', ['2']], sent: 3 });
});

it('reads that must see later writes, and reads outside of requests, come from the table', async () => {
  const { during, get, put, rounds } = setup();
  await put('c', '1');
  const work = async () => {
    const first = await get('c');
    await put('c', `${first}+`);
    return [first, await get('c'), await fromTable(() => get('c'))];
  };
  expect((await rounds(() => during('request', work))).result).toEqual(['1', '1+', '1+']);
  expect((await rounds(() => during('request', work))).result).toEqual(['1+', '1+', '1++']);
  expect(await rounds(() => get('c'))).toEqual({ result: '1++', sent: 1 });
});

it('an item that is read by another command, or in part, is read when it is asked for', async () => {
  const { ahead, during, put, rounds } = setup();
  await put('d', '1');
  const TableName = ahead.name;
  const work = async () => {
    const part = await ahead.db.send(
      new GetCommand({ TableName, Key: keyOf('d'), ProjectionExpression: 'pk', ConsistentRead: true }),
    );
    const list = await ahead.db.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk AND sk = :sk',
        ExpressionAttributeValues: { ':pk': 'reads-ahead', ':sk': 'd' },
      }),
    );
    const batch = await ahead.db.send(
      new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [keyOf('d')], ProjectionExpression: 'pk' } } }),
    );
    return [part.Item, list.Count, batch.Responses?.[TableName]];
  };
  const found = [{ pk: 'reads-ahead' }, 1, [{ pk: 'reads-ahead' }]];
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await rounds(() => during('request', work))).toEqual({ result: found, sent: 3 });
  }
});
