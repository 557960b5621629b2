import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { alertWorker } from '../../../support/given/alert-work.ts';
import { ALERTS, givenAlert } from '../../../support/given/alerts.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { issuesOf } from '../../../support/given/model.ts';

/** Monthly revenue: in January `eu` 150; in February `eu` 87 and `us` 60; in March `eu` 60, `us` 90 and none 11. */
async function givenRevenue(api: Api) {
  const { definition, fields } = await givenSalesModel(api);
  const metric = await givenMetric(api, { ...definition, grain: 'month', timezone: 'UTC', direction: 'up_good' });
  const { work } = await alertWorker(api);
  const evaluateAt = (at: string, ...alerts: { id: string }[]) => {
    const alertIds = alerts.map(({ id }) => id);
    return work({ op: 'evaluate', workspaceId: api.workspaceId, alertIds, trigger: { kind: 'schedule', at } });
  };
  return { condition: { kind: 'metric', metricId: metric.id }, by: { column: fields.region }, evaluateAt };
}

/** The edges in the history, oldest first; the feed has only those of the last 90 days. */
async function edgesOf(api: Api, { path }: { path: string }): Promise<string[]> {
  const { items } = (await api.as('editor').get(`${path}/history`)).body;
  const entries = items.toReversed().flatMap((item: { entries: Record<string, unknown>[] }) => item.entries);
  return entries.map(({ edges, group, value }: Record<string, unknown>) => `${edges} ${group} ${value}`);
}

describe('An alert on a metric by the values of a field', () => {
  it('has a state for each of them, which is compared with its own earlier period', async ({ api }) => {
    const { condition, by, evaluateAt } = await givenRevenue(api);
    const above = await givenAlert(api, { condition: { ...condition, by, operator: 'gt', threshold: 100 } });
    const grown = await givenAlert(api, { condition: { ...condition, by, operator: 'increases_by', threshold: 40 } });
    for (const month of ['02', '03', '04']) await evaluateAt(`2024-${month}-01T00:10:00.000Z`, above, grown);
    const editor = api.as('editor');
    expect(await edgesOf(api, above)).toEqual(['fire eu 150', 'recover eu 87']);
    expect(await edgesOf(api, grown)).toEqual(['fire us 90']);
    const { body } = await editor.get(above.path);
    const groups = body.groups.map(({ group, state, lastValue }: Record<string, unknown>) => [group, state, lastValue]);
    expect(groups.toSorted()).toEqual([
      ['(empty)', 'ok', 11],
      ['eu', 'ok', 60],
      ['us', 'ok', 90],
    ]);
    const preview = await editor.post(`${ALERTS}/preview`, {
      condition: { ...condition, by, operator: 'gt', threshold: 100 },
    });
    expect(preview).toMatchObject({ status: 200, body: { note: 'ONLY_NOW' } });
  });

  it('rejects what does not divide it', async ({ api }) => {
    const { condition, by } = await givenRevenue(api);
    const issues = async (more: object) =>
      issuesOf(
        await api.as('editor').post(ALERTS, {
          name: 'Groups',
          condition: { ...condition, by, operator: 'gt', threshold: 1, ...more },
        }),
      );
    expect(await issues({ by: { column: crypto.randomUUID() } })).toEqual([expect.stringMatching(/^\/condition\/by /)]);
    expect(await issues({ operator: 'unusual', threshold: 3 })).toEqual(['/condition/by NOT_ALLOWED']);
    expect(await issues({ threshold: { ref: 'target' } })).toEqual(['/condition/by NOT_ALLOWED']);
    expect(await issues({ settle: { minutes: 5 }, includePartial: true })).toEqual(['/condition/settle NOT_ALLOWED']);
    expect(await issues({ settle: { minutes: 1441 } })).toEqual([
      expect.stringMatching(/^\/condition\/settle\/minutes /),
    ]);
    expect((await api.as('editor').get(ALERTS)).body.total).toBe(0);
  });
});

describe('An alert on a metric that waits for late rows', () => {
  it('reads a period once they had the time to arrive', async ({ api }) => {
    const { condition, evaluateAt } = await givenRevenue(api);
    const alert = await givenAlert(api, {
      condition: { ...condition, operator: 'gt', threshold: 148, settle: { minutes: 120 } },
    });
    const values: unknown[] = [];
    for (const time of ['01:59', '02:00']) {
      await evaluateAt(`2024-03-01T${time}:00.000Z`, alert);
      values.push((await api.as('editor').get(alert.path)).body.lastValue);
    }
    expect(values).toEqual([150, 147]);
    expect(await edgesOf(api, alert)).toEqual(['fire null 150', 'recover null 147']);
  });
});
