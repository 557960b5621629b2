import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  aiQuota,
  type LinkReader,
  MAX_EMBED_QUESTIONS,
  MAX_WORKSPACE_QUESTIONS,
} from '../../../../shared/domains/sharing/shares/index.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const NOW = new Date('2026-03-01T08:30:00.000Z');
const HOUR = Date.parse('2026-03-01T08:00:00.000Z') / 1000;
const RATE = 3;

let workspaceId: string;
let table: Table;
beforeEach(() => {
  workspaceId = newId();
  table = { ...local.open(), now: () => NOW };
});

const content = { type: 'dashboard', id: newId() } as const;
const readerOf = (more: Partial<LinkReader> = {}) =>
  ({ kind: 'embed', id: newId(), workspaceId, content, subject: null, aiRatePerHour: RATE, ...more }) as LinkReader;

/** The questions that the reader may still ask, one after the other. */
async function left(reader: LinkReader): Promise<number> {
  for (let asked = 0; ; asked += 1) {
    const taken = await aiQuota(table)
      .take(reader)
      .catch(({ code }: { code: string }) => code);
    if (typeof taken === 'string') {
      expect(taken).toBe('SHARE_AI_SPENT');
      return asked;
    }
  }
}

const preset = (name: string, used: number) =>
  table.db.send(
    new PutCommand({
      TableName: table.name,
      Item: { ...workspaceKey(workspaceId, `LINK-AI#${HOUR}`, name), used },
    }),
  );

describe('the questions of the readers of embedded views', () => {
  it('are counted for each token, or for all tokens of one subject', async () => {
    const [first, second] = [readerOf({ subject: 'ann' }), readerOf({ subject: 'ann' })];
    expect((await aiQuota(table).take(first)).remaining).toBe(RATE - 1);
    expect((await aiQuota(table).take(second)).remaining).toBe(RATE - 2);
    expect(await left(first)).toBe(1);
    expect(await left(second)).toBe(0);
    // Others lose nothing: another subject, a token without one, and the same name in another workspace.
    expect(await left(readerOf({ subject: 'bob' }))).toBe(RATE);
    expect(await left(readerOf())).toBe(RATE);
    expect(await left(readerOf({ subject: 'ann', workspaceId: newId() }))).toBe(RATE);
  });

  it('are exact if they come together', async () => {
    const reader = readerOf();
    const taken = await Promise.allSettled(Array.from({ length: 10 }, () => aiQuota(table).take(reader)));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(RATE);
  });

  it('are bounded for a dashboard and for a workspace, and refused ones cost their reader nothing', async () => {
    await preset(`EMBED#CONTENT#${content.id}`, MAX_EMBED_QUESTIONS - 1);
    const reader = readerOf();
    expect((await aiQuota(table).take(reader)).remaining).toBe(0);
    expect(await left(reader)).toBe(0);
    expect(await left(readerOf())).toBe(0);
    const elsewhere = { type: 'dashboard', id: newId() } as const;
    expect((await aiQuota(table).take({ ...reader, content: elsewhere })).remaining).toBe(RATE - 2);

    await preset('EMBED#WORKSPACE', MAX_WORKSPACE_QUESTIONS - 1);
    const [one, other] = [readerOf({ content: elsewhere }), readerOf({ content: elsewhere })];
    const taken = await aiQuota(table).take(one);
    expect(await left(other)).toBe(0);
    await taken.giveBack();
    expect((await aiQuota(table).take(other)).remaining).toBe(0);
    // A share link has a limit of its own.
    expect(await left(readerOf({ kind: 'share' }))).toBe(RATE);
  });
});
