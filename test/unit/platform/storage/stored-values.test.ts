import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { uniqueKey } from '../../../../shared/platform/storage/keys.ts';
import { fromAttributes } from '../../../../shared/platform/storage/table.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();

describe('the table', () => {
  it('returns numbers beyond 2^53 as they were stored', async () => {
    const table = local.open();
    const numbers = [2 ** 53 + 2, -1e21, 1e125, 1.7976931348623e-130, 0.1];
    const Key = { pk: 'numbers', sk: 'a' };
    await table.db.send(new PutCommand({ TableName: table.name, Item: { ...Key, numbers } }));
    const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key }));
    expect(Item).toEqual({ ...Key, numbers });
  });

  it('has them in its stream as numbers, too', () => {
    local.open();
    expect(fromAttributes({ n: { N: '100000000000000000000' } })).toEqual({ n: 1e20 });
  });

  it('takes every name as a key, also one that grows when it is folded', async () => {
    const table = local.open();
    const names = ['\ufdfa'.repeat(200), `${'\ufdfa'.repeat(199)}x`, 'İ'.repeat(200), 'x'.repeat(200)];
    const keys = names.map((name) => uniqueKey('names', name));
    expect(new Set(keys.map(({ sk }) => sk)).size).toBe(names.length);
    for (const key of keys) await table.db.send(new PutCommand({ TableName: table.name, Item: { ...key } }));
    expect(uniqueKey('names', 'Größe').sk).toBe('größe');
  });
});
