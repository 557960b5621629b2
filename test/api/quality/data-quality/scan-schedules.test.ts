import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, vi } from 'vitest';
import { tableKey } from '../../../../shared/domains/quality/table.ts';
import type { JobMessage } from '../../../../shared/platform/jobs/queue.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { endedScan, sendJobMessage } from '../../../support/given/scan.ts';

const SCHEDULES = '/api/data-quality/scan-schedules';
const SCANS = '/api/data-quality/scans?tableName=orders';
const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const daily = { tableName: 'orders', scheduleCron: '0 5 * * *', scheduleTimezone: 'Europe/Berlin' };

describe('a schedule of scans', () => {
  it('is one for each table, checked against it, and changed and deleted by editors', async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'orders', sql: 'SELECT 1 AS id, 2 AS amount' });
    const editor = api.as('editor');
    const issues = async (schedule: object) => (await editor.post(SCHEDULES, { ...daily, ...schedule })).body.errors;
    expect(await issues({ config: { columns: ['amounts'] } })).toMatchObject([
      { pointer: '/config/columns/0', message: expect.stringContaining('did you mean "amount"') },
    ]);
    expect(await issues({ scheduleCron: 'daily' })).toMatchObject([{ pointer: '/scheduleCron' }]);
    expect(await issues({ scheduleTimezone: 'Europe/Bern' })).toMatchObject([{ pointer: '/scheduleTimezone' }]);
    expect((await editor.post(SCHEDULES, { ...daily, tableName: 'order' })).body.code).toBe('QUALITY_TABLE_NOT_FOUND');
    expect((await editor.post(SCHEDULES, { ...daily, sourceId: UNKNOWN })).body.code).toBe('DATA_SOURCE_NOT_FOUND');
    expect((await api.as('viewer').post(SCHEDULES, daily)).status).toBe(403);
    expect((await api.as('viewer').get(SCHEDULES)).body).toMatchObject({ items: [], total: 0 });

    const created = await editor.post(SCHEDULES, daily);
    expect(created).toMatchObject({
      status: 201,
      body: { ...daily, sourceId: 'datasets', config: {}, scheduleEnabled: true, revision: 1 },
    });
    const path = `${SCHEDULES}/${created.body.id}`;
    expect((await editor.post(SCHEDULES, daily)).body.code).toBe('QUALITY_SCAN_SCHEDULE_EXISTS');
    expect((await api.as('viewer').get(path)).body).toEqual(created.body);
    expect((await api.as('viewer').get(`${SCHEDULES}?tableName=orders`)).body.items).toEqual([created.body]);
    expect((await api.as('viewer').get(`${SCHEDULES}?tableName=other`)).body.items).toEqual([]);

    const off = await editor.put(path, { scheduleEnabled: false, config: { topK: 5 } });
    expect(off.body).toMatchObject({ ...daily, scheduleEnabled: false, nextScanAt: null, config: { topK: 5 } });
    expect((await editor.put(path, { config: { columns: ['amounts'] } })).status).toBe(400);
    expect((await editor.put(path, { scheduleCron: '61 * * * *' })).status).toBe(400);
    const old = { headers: { 'if-match': '"1"' } };
    for (const late of [await editor.put(path, { scheduleEnabled: true }, old), await editor.delete(path, old)]) {
      expect(late).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    }
    expect((await api.as('viewer').get(path)).body).toEqual(off.body);
    const ofThose = async (query: string) => (await api.as('viewer').get(`${SCHEDULES}?${query}`)).body.items;
    expect(await ofThose('scheduleEnabled=false')).toEqual([off.body]);
    expect(await ofThose('scheduleEnabled=true')).toEqual([]);

    const stranger = api.as('stranger');
    for (const reply of [await stranger.get(path), await stranger.put(path, {}), await stranger.delete(path)]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'QUALITY_SCAN_SCHEDULE_NOT_FOUND' } });
    }
    expect((await editor.delete(path)).status).toBe(204);
    expect((await editor.delete(path)).status).toBe(404);
    const again = await editor.post(SCHEDULES, daily);
    expect(again.status).toBe(201);
    expect((await editor.delete(`/api/datasets/${id}`)).status).toBe(204);
    expect(await editor.put(`${SCHEDULES}/${again.body.id}`, { config: { topK: 5 } })).toMatchObject({
      status: 404,
      body: { code: 'QUALITY_TABLE_NOT_FOUND' },
    });
    expect((await editor.put(`${SCHEDULES}/${again.body.id}`, { scheduleEnabled: false })).status).toBe(200);
  });

  it('starts one scan at each of its instants, with its settings, and none once it has changed', async ({ api }) => {
    await givenDataset(api, { name: 'orders', sql: 'SELECT i AS id, i % 3 AS kind FROM range(9) t(i)' });
    const editor = api.as('editor');
    const { body: schedule } = await editor.post(SCHEDULES, { ...daily, config: { columns: ['kind'] } });
    const due: JobMessage = {
      op: 'due',
      kind: 'quality_scan',
      workspaceId: api.workspaceId,
      subjectId: tableKey({ sourceId: 'datasets', schemaName: '', tableName: 'orders' }),
      scheduledAt: schedule.nextScanAt,
    };
    const scans = async () => (await api.as('viewer').get(SCANS)).body.items;
    const started = () =>
      vi.waitFor(
        async () => {
          const [newest] = await scans();
          expect(newest).toBeDefined();
          return newest;
        },
        { timeout: 60_000, interval: 100 },
      );
    await sendJobMessage(api, due);
    const { id } = await started();
    const ended = await endedScan(api.as('viewer'), id);
    expect(ended).toMatchObject({ status: 'succeeded', columnCount: 1, createdBy: schedule.updatedBy });
    await sendJobMessage(api, due);
    await editor.put(`${SCHEDULES}/${schedule.id}`, { scheduleCron: '0 6 * * *' });
    await sendJobMessage(api, due);
    const { body: next } = await api.as('viewer').get(`${SCHEDULES}/${schedule.id}`);
    await sendJobMessage(api, { ...due, scheduledAt: next.nextScanAt });
    await vi.waitFor(async () => expect(await scans()).toHaveLength(2), { timeout: 60_000, interval: 100 });
    const [second] = await scans();
    await endedScan(api.as('viewer'), second.id);
    expect((await scans()).map((scan: { id: string }) => scan.id)).toEqual([second.id, id]);
  });

  it('is not listed when there are too many', async ({ api }) => {
    const total = { pk: `W#${api.workspaceId}#QUALITY-SCAN-SCHEDULE`, sk: '#TOTAL' };
    await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count: 5001 } })));
    const list = async (query: string) => (await api.as('viewer').get(`${SCHEDULES}?${query}`)).body.code;
    expect(await list('tableName=orders')).toBe('LIST_TOO_LARGE');
    expect(await list('offset=20000')).toBe('OFFSET_TOO_LARGE');
  });
});
