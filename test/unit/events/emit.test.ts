import { describe, expect, expectTypeOf, it } from 'vitest';
import type { EventData, EventEnvelope } from '../../../shared/domains/events/events/catalogue.ts';
import { outboxItem } from '../../../shared/domains/events/events/outbox.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';

const table = { name: 'table' } as Table;
const about = { id: 'an id', workspaceId: 'w', at: new Date('2026-11-21T10:15:30.412Z') };
const data = { workspaceId: 'w', webhookId: 'h', webhookName: 'hook' };

describe('an event that is emitted', () => {
  it('lies in the outbox with the time at which it happened', () => {
    expect(outboxItem(table, { ...about, event: 'webhook.test', data })).toMatchObject({
      Put: {
        Item: { entity: 'outbox', event: 'webhook.test', timestamp: '2026-11-21T10:15:30.412Z', data },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    });
  });

  it('has no message of a driver, which may name hosts, users and values', () => {
    const stream = { cdcStreamId: 's', streamId: 'orders', sourceId: 'x', tableName: null, retainedWalBytes: null };
    const more = { workspaceId: 'w', detectedAt: '2026-11-21T10:15:30.412Z', url: '/api' };
    const errorOf = (code: string, message: string) => {
      const item = outboxItem(table, {
        ...about,
        event: 'cdc.stream_failing',
        data: { ...stream, ...more, error: { code, message } },
      });
      return item.Put!.Item!.data.error;
    };
    const raw = 'connect ECONNREFUSED db.internal:5432 user=app password=hunter2';
    for (const code of ['CONNECTION_FAILED', 'AUTH_FAILED', 'SQL_ERROR', 'A_CODE_OF_A_DRIVER']) {
      expect(errorOf(code, raw)).toEqual({ code, message: expect.not.stringMatching(/internal|app|hunter2/) });
    }
    const own = 'The source has removed log that the slot still needs.';
    expect(errorOf('SLOT_LOST', own)).toEqual({ code: 'SLOT_LOST', message: own });
  });

  it('does not compile with data that is not its own', () => {
    expectTypeOf<EventData<'webhook.test'>>().toEqualTypeOf<typeof data>();
    expectTypeOf<EventData<'report.delivered'>['status']>().toEqualTypeOf<'succeeded' | 'partial' | 'failed'>();
    expectTypeOf<Extract<EventEnvelope, { event: 'webhook.test' }>['data']>().toEqualTypeOf<typeof data>();

    // @ts-expect-error: no such event
    outboxItem(table, { ...about, event: 'webhook.tested', data });
    // @ts-expect-error: another event's data
    outboxItem(table, { ...about, event: 'webhook.disabled', data });
    // @ts-expect-error: a member is missing
    outboxItem(table, { ...about, event: 'webhook.test', data: { workspaceId: 'w', webhookId: 'h' } });
    // @ts-expect-error: a member that it does not have
    outboxItem(table, { ...about, event: 'webhook.test', data: { ...data, secret: 'x' } });
    // @ts-expect-error: a member of another type
    outboxItem(table, { ...about, event: 'webhook.test', data: { ...data, webhookName: 1 } });
  });
});
