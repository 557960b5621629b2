import { describe, expect } from 'vitest';
import { mailTokens } from '../../../../shared/domains/delivery/notifications/index.ts';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';
import { type Api, it } from '../../../support/api.ts';
import { evaluate } from '../../../support/given/alert-work.ts';
import { ALERTS, givenAlert, givenLoad, loadHosts, onLoad } from '../../../support/given/alerts.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenField, givenModel, givenTable, issuesOf, posted } from '../../../support/given/model.ts';
import { clockOf, mailWorker, passMinutes, type Sent, WORKER_SECRET } from '../../../support/given/notifications.ts';
import { givenPolicy, givenProtected } from '../../../support/given/protected.ts';
import { allowDomains } from '../../../support/given/schedules.ts';
import { readMasterSecret } from '../../../support/master-secret.ts';

const PARTNER = 'partner.example';
const [ADA, BOB] = [`ada@${PARTNER}`, `bob@${PARTNER}`];

/** The worker of mails, with a clock that only the test moves. */
function givenMails(api: Api) {
  const clock = clockOf(api);
  const worker = mailWorker(clock);
  return {
    sent: worker.sent,
    /** What was sent meanwhile, as `address: text, text`. */
    async next(): Promise<string[]> {
      const before = worker.sent.length;
      await passMinutes(api, clock, worker, 3);
      return worker.sent.slice(before).map((sent) => `${sent.to}: ${textsOf(sent).join(' ')}`);
    },
  };
}

const textsOf = ({ mail }: Sent) => (mail.blocks ?? []).flatMap((block) => ('text' in block ? block.text : []));

/** Unsubscribes by the link of the email, twice. The deployment has another secret than the worker of the test. */
async function leave(api: Api, { mail }: Sent): Promise<void> {
  const link = await mailTokens(WORKER_SECRET).read(new URL(mail.unsubscribe!.url).searchParams.get('token')!);
  const token = await mailTokens(new MasterSecret(() => readMasterSecret(api.endpoint))).of(link!);
  const path = `/api/comments/unsubscribe?token=${token}`;
  const stranger = api.as('anonymous');
  expect(await stranger.get(path)).toMatchObject({ status: 200, body: expect.stringContaining('<button>') });
  for (const _twice of [1, 2])
    expect((await stranger.send('POST', path, { headers: FORM, text: 'List-Unsubscribe=One-Click' })).status).toBe(200);
  expect(await stranger.get(path)).toMatchObject({ body: expect.stringContaining('You are unsubscribed') });
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('The addresses of an alert outside the workspace', () => {
  it('get the emails about what everyone may see, until their readers unsubscribe', async ({ api }) => {
    await allowDomains(api, [PARTNER]);
    const { queryId } = await givenLoad(api);
    const viewer = await givenMember(api);
    const channels = { inApp: { userIds: [viewer.userId] }, email: { addresses: [`Ada@${PARTNER}`, BOB] } };
    const alert = await givenAlert(api, { name: 'Load', condition: onLoad(queryId), channels });
    expect(alert.channels).toMatchObject({ email: { addresses: [ADA, BOB] } });
    const shown = (await api.as(viewer).get(alert.path)).body;
    expect(shown.channels).toMatchObject({ inApp: { userIds: [viewer.userId] }, email: {} });
    expect(JSON.stringify(shown)).not.toContain(PARTNER);

    const mails = givenMails(api);
    await evaluate(api, [alert], 1);
    await evaluate(api, [alert], 1);
    const fired = 'It fired: the value is 30, which is above 25.';
    expect((await mails.next()).sort()).toEqual([`${ADA}: ${fired}`, `${BOB}: ${fired}`]);
    const [toAda] = mails.sent.filter(({ to }) => to === ADA);
    expect(toAda!.mail).toMatchObject({
      subject: 'Alert: Load',
      notes: [
        expect.stringMatching(/^You get this email because an alert of the workspace “.+” names your address\.$/),
      ],
    });

    await leave(api, toAda!);
    await loadHosts(api, { a: 1 });
    await evaluate(api, [alert], 2);
    expect(await mails.next()).toEqual([`${BOB}: It is back to normal: the value is 1.`]);
    // The list stays as it is, and the reader is not added to another one.
    expect((await api.as('editor').put(alert.path, { channels })).status).toBe(200);
    expect((await api.as('editor').put(alert.path, { channels: {} })).status).toBe(200);
    const again = await api.as('editor').put(alert.path, { channels });
    expect(issuesOf(again)).toEqual(['/channels/email/addresses/0 UNSUBSCRIBED']);
  });

  it('get one email about several alerts, whose link ends all of them', async ({ api }) => {
    await allowDomains(api, [PARTNER]);
    const { queryId } = await givenLoad(api);
    const member = await givenMember(api);
    const channels = { email: { addresses: [ADA], userIds: [member.userId] } };
    const given = (threshold: number) => givenAlert(api, { condition: onLoad(queryId, { threshold }), channels });
    const alerts = [await given(25), await given(26)];
    const mails = givenMails(api);
    await evaluate(api, alerts, 1);
    expect(await mails.next()).toHaveLength(2);
    for (const sent of mails.sent) {
      expect(sent.mail).toMatchObject({ subject: '2 alerts', unsubscribe: { label: 'Stop emails about alerts' } });
      await leave(api, sent);
    }
    await loadHosts(api, { a: 1 });
    await evaluate(api, alerts, 2);
    expect(await mails.next()).toEqual([]);
    const next = { name: 'Next', condition: onLoad(queryId), channels: { email: { addresses: [ADA] } } };
    expect(issuesOf(await api.as('editor').post(ALERTS, next))).toEqual(['/channels/email/addresses/0 UNSUBSCRIBED']);
  });

  it('hear of the end only if they heard of the beginning', async ({ api }) => {
    await allowDomains(api, [PARTNER]);
    const { queryId } = await givenLoad(api);
    const channels = (...addresses: string[]) => ({ email: { addresses } });
    const alert = await givenAlert(api, { condition: onLoad(queryId), channels: channels(ADA) });
    const mails = givenMails(api);
    await evaluate(api, [alert], 1);
    await mails.next();
    expect((await api.as('editor').put(alert.path, { channels: channels(ADA, BOB) })).status).toBe(200);
    await loadHosts(api, { a: 1 });
    await evaluate(api, [alert], 2);
    expect(await mails.next()).toEqual([`${ADA}: It is back to normal: the value is 1.`]);
  });

  it('get nothing of data that has become protected, and none once they or their domains are removed', async ({
    api,
  }) => {
    await allowDomains(api, [PARTNER, 'other.example']);
    const { queryId } = await givenLoad(api);
    const open = await posted(api, '/api/saved-queries', { name: 'Open', sql: 'SELECT 30 AS load' });
    const given = (query: string, address: string) =>
      givenAlert(api, { condition: onLoad(query), channels: { email: { addresses: [address] } } });
    const guarded = await given(queryId, `guarded@${PARTNER}`);
    const removed = await given(open.id, `removed@${PARTNER}`);
    const elsewhere = await given(open.id, 'elsewhere@other.example');
    const kept = await given(open.id, `kept@${PARTNER}`);
    await evaluate(api, [guarded, removed, elsewhere, kept], 1);

    expect((await api.as('editor').put(removed.path, { channels: {} })).status).toBe(200);
    await allowDomains(api, [PARTNER]);
    const model = await givenModel(api, { name: 'Hosts' });
    const table = await givenTable(api, model.path, 'hosts');
    await givenField(api, table.path, 'host');
    await givenPolicy(api, model.path, { tableId: table.id, filterExpression: '[host] IN user.attr("host")' });
    const mails = givenMails(api);
    expect(await mails.next()).toEqual([`kept@${PARTNER}: It fired: the value is 30, which is above 25.`]);
    await evaluate(api, [guarded], 2);
    expect(await mails.next()).toEqual([]);
  });

  it('are rejected in other domains, over protected data, and if they are of members', async ({ api }) => {
    await allowDomains(api, [PARTNER]);
    const { queryId } = await givenLoad(api);
    const { dataset } = await givenProtected(api);
    const member = await givenMember(api);
    const open = onLoad(queryId);
    const existing = await givenAlert(api, { condition: open });
    const source = { kind: 'dataset', id: dataset.id };
    const guarded = { kind: 'field', source, column: 'id', reduce: 'count', operator: 'gt', threshold: 1 };
    const both = async (condition: object, ...addresses: string[]) => {
      const body = { condition, channels: { email: { addresses } } };
      return [
        await api.as('editor').post(ALERTS, { name: 'Sent', ...body }),
        await api.as('editor').put(existing.path, body),
      ];
    };
    for (const reply of await both(open, ADA, 'eve@elsewhere.example', member.email))
      expect([reply.status, ...issuesOf(reply)]).toEqual([
        400,
        '/channels/email/addresses/1 NOT_A_MEMBER',
        '/channels/email/addresses/2 IS_MEMBER',
      ]);
    for (const reply of await both(guarded, ADA)) {
      expect(reply).toMatchObject({ status: 400, body: { code: 'ALERT_TARGET_PROTECTED' } });
      expect(issuesOf(reply)).toEqual(['/channels/email/addresses/0 TARGET_PROTECTED']);
    }
    const own = { name: 'Own', condition: open, channels: { event: false, email: { addresses: [ADA] } } };
    expect((await api.as(member).post(ALERTS, own)).status).toBe(403);
    expect((await api.as('editor').get(ALERTS)).body.items).toMatchObject([{ id: existing.id, condition: open }]);
  });
});
