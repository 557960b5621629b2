import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { openCrashingTable, useLocalTable } from '../../../support/local-table.ts';

const FIVE_MINUTES_MS = 5 * 60_000;
/** What differs by less is left alone, and a date counts whole seconds. */
const CLOSE_MS = 6_500;

const local = useLocalTable();
const opened = (ownMs: () => number) => openCrashingTable(local.cloud, undefined, ownMs);
const ask = ({ db, name }: Table) => db.send(new GetCommand({ TableName: name, Key: { pk: 'a', sk: 'a' } }));
const offBy = (table: Table) => Math.abs(table.now().getTime() - Date.now());

describe('the time that a table tells', () => {
  it.each([-FIVE_MINUTES_MS, FIVE_MINUTES_MS])('is right on a machine whose clock is off by %i ms', async (skewMs) => {
    const table = opened(() => Date.now() + skewMs);
    await ask(table);
    expect(offBy(table)).toBeLessThan(CLOSE_MS);
  });

  it('comes with refusals too', async () => {
    const table = opened(() => Date.now() + FIVE_MINUTES_MS);
    const refused = new PutCommand({
      TableName: table.name,
      Item: { pk: 'a', sk: 'a' },
      ConditionExpression: 'attribute_exists(pk)',
    });
    await expect(table.db.send(refused)).rejects.toThrow(ConditionalCheckFailedException);
    expect(offBy(table)).toBeLessThan(CLOSE_MS);
  });

  it('is that of the machine where the two hardly differ', async () => {
    let ownMs = Date.now() + 3_000;
    const table = opened(() => ownMs);
    await ask(table);
    expect(table.now().getTime()).toBe(ownMs);
    ownMs += 250;
    expect(table.now().getTime()).toBe(ownMs);
  });

  it('is right again when the clock of the machine was put right', async () => {
    let skewMs = FIVE_MINUTES_MS;
    const table = opened(() => Date.now() + skewMs);
    await ask(table);
    skewMs = 0;
    await ask(table);
    expect(offBy(table)).toBeLessThan(CLOSE_MS);
  });

  it('is not put wrong by a machine that stood still before it read the reply', async () => {
    let looks = 0;
    // Asked at the first look, read ten minutes later.
    const table = opened(() => Date.now() + (looks++ === 0 ? -600_000 : 0));
    await ask(table);
    expect(offBy(table)).toBeLessThan(CLOSE_MS);
  });
});
