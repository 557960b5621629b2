import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { alertWorker, evaluate } from '../../../support/given/alert-work.ts';
import { ALERTS, givenAlert, givenLoad, loadHosts, onLoad } from '../../../support/given/alerts.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenField, givenModel, givenTable, issuesOf } from '../../../support/given/model.ts';
import { givenPolicy, givenProtected } from '../../../support/given/protected.ts';
import { allowDomains } from '../../../support/given/schedules.ts';
import { givenReceiver, workOnTargets } from '../../../support/given/targets.ts';

const SECRET = 'shared-secret-a04c';

/** A model of the hosts with a policy, which makes them protected. */
async function protectHosts(api: Api): Promise<void> {
  const model = await givenModel(api, { name: 'Hosts' });
  const table = await givenTable(api, model.path, 'hosts');
  await givenField(api, table.path, 'host');
  await givenPolicy(api, model.path, { tableId: table.id, filterExpression: '[host] IN user.attr("host")' });
}

describe('The targets of an alert', () => {
  it('get one request each when it fires and when it recovers', async ({ api }) => {
    const [hook, slack, teams] = [await givenReceiver(api), await givenReceiver(api), await givenReceiver(api)];
    const { queryId } = await givenLoad(api);
    const alert = await givenAlert(api, {
      name: 'Load <!channel>',
      condition: onLoad(queryId),
      channels: {
        targets: [
          { type: 'webhook', url: hook.url, secret: SECRET },
          { type: 'slack', name: '#load', url: slack.url },
          { type: 'teams', url: teams.url },
        ],
      },
    });
    expect(alert.channels).toMatchObject({
      targets: [
        { type: 'webhook', origin: new URL(hook.url).origin, hasSecret: true },
        { type: 'slack', name: '#load', hasSecret: false },
        { type: 'teams' },
      ],
    });
    for (const secret of ['/hook', SECRET]) expect(JSON.stringify(alert)).not.toContain(secret);
    await evaluate(api, [alert], 1);
    await evaluate(api, [alert], 1);
    const [request] = await hook.waitFor(1);
    expect(JSON.parse(request!.body)).toMatchObject({
      ...{
        type: 'alert',
        alertId: alert.id,
        workspaceId: api.workspaceId,
        edge: 'fire',
        state: 'triggered',
        value: 30,
      },
      ...{ group: null, operator: 'gt', threshold: 25, text: 'It fired: the value is 30, which is above 25.' },
    });
    expect(request!.headers).toHaveProperty('x-service-signature');
    const said = (await slack.waitFor(1))[0]!.body;
    expect(said).toContain('the value is 30');
    expect(said).not.toContain('<!channel>');
    expect((await teams.waitFor(1))[0]!.body).toContain('the value is 30');

    await loadHosts(api, { a: 1 });
    const worker = await alertWorker(api);
    await worker.evaluateAt([alert], 2);
    expect(worker.counted.requests).toHaveLength(3);
    for (const { workspaceId: _own, ...message } of [...worker.counted.requests, ...worker.counted.requests])
      await workOnTargets(api, message);
    const bodies = hook.received.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ edge, value }) => [edge, value])).toEqual([
      ['fire', 30],
      ['recover', 1],
    ]);
    expect(slack.received).toHaveLength(2);
  });

  it('get nothing of data that has become protected, and of targets that were removed', async ({ api }) => {
    const hook = await givenReceiver(api);
    const { queryId } = await givenLoad(api);
    const given = () =>
      givenAlert(api, {
        condition: onLoad(queryId),
        channels: { targets: [{ type: 'webhook', url: hook.url }] },
      });
    const [asked, removed, later] = [await given(), await given(), await given()];
    const worker = await alertWorker(api);
    await worker.evaluateAt([asked, removed], 1);
    expect(worker.counted.requests).toHaveLength(2);
    expect((await api.as('editor').put(removed.path, { channels: { targets: [] } })).body.channels.targets).toEqual([]);
    await protectHosts(api);
    for (const { workspaceId: _own, ...message } of worker.counted.requests) await workOnTargets(api, message);
    await worker.evaluateAt([later], 2);
    expect(worker.counted.requests).toHaveLength(2);
    expect(hook.received).toEqual([]);
  });

  it('are kept until others are given, and shown to those who may change them', async ({ api }) => {
    const hook = await givenReceiver(api);
    const { queryId } = await givenLoad(api);
    const viewer = await givenMember(api);
    const inApp = { userIds: [viewer.userId] };
    const target = { type: 'webhook', url: hook.url };
    const alert = await givenAlert(api, { condition: onLoad(queryId), channels: { inApp, targets: [target] } });
    const [{ id }] = (alert.channels as { targets: [{ id: string }] }).targets;
    const kept = await api.as('editor').put(alert.path, { channels: { inApp } });
    expect(kept.body.channels.targets).toMatchObject([{ id }]);
    const renamed = { id, type: 'webhook', name: 'Pager' };
    const changed = await api.as('editor').put(alert.path, { channels: { inApp, targets: [renamed] } });
    expect(changed.body.channels.targets).toMatchObject([{ id, name: 'Pager', origin: new URL(hook.url).origin }]);
    expect((await api.as(viewer).get(alert.path)).body.channels).not.toHaveProperty('targets');
    const own = { name: 'Own', condition: onLoad(queryId), channels: { event: false, targets: [target] } };
    expect((await api.as(viewer).post(ALERTS, own)).status).toBe(403);
  });

  it('are rejected with other hosts, blocked addresses and protected data', async ({ api }) => {
    const hook = await givenReceiver(api);
    const { queryId } = await givenLoad(api);
    const { dataset } = await givenProtected(api);
    const open = onLoad(queryId);
    const guarded = {
      ...{ kind: 'field', source: { kind: 'dataset', id: dataset.id }, column: 'id', reduce: 'count' },
      ...{ operator: 'gt', threshold: 1 },
    };
    const editor = api.as('editor');
    const existing = await givenAlert(api, { condition: open });
    const both = async (condition: object, url: string) => {
      const body = { condition, channels: { targets: [{ type: 'webhook', url }] } };
      return [await editor.post(ALERTS, { name: 'Sent', ...body }), await editor.put(existing.path, body)];
    };
    for (const reply of await both(open, 'https://elsewhere.example/hook'))
      expect(issuesOf(reply)).toEqual(['/channels/targets/0/url DOMAIN_NOT_ALLOWED']);
    for (const reply of await both(guarded, hook.url)) {
      expect(reply).toMatchObject({ status: 400, body: { code: 'ALERT_TARGET_PROTECTED' } });
      expect(issuesOf(reply)).toEqual(['/channels/targets/0 TARGET_PROTECTED']);
    }
    await allowDomains(api, ['169.254.169.254']);
    for (const reply of await both(open, 'http://169.254.169.254/latest'))
      expect(reply).toMatchObject({ status: 400, body: { code: 'ADDRESS_BLOCKED' } });
    expect((await editor.get(ALERTS)).body.items).toMatchObject([{ id: existing.id, condition: open }]);
  });
});
