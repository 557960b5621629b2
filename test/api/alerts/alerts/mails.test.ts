import { describe, expect } from 'vitest';
import { ALERT_MAILED } from '../../../../shared/domains/alerts/evaluations/notification-kinds.ts';
import { notify } from '../../../../shared/domains/delivery/notifications/index.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenAlert, givenLoad, onLoad } from '../../../support/given/alerts.ts';
import { givenMember } from '../../../support/given/member.ts';
import { clockOf, mailWorker, passMinutes, type Sent } from '../../../support/given/notifications.ts';

/** A person who gets emails of an alert, and the worker that sends them, whose service may be down. */
async function givenMailed(api: Api) {
  const { queryId } = await givenLoad(api);
  const member = await givenMember(api);
  const alert = await givenAlert(api, {
    condition: onLoad(queryId),
    channels: { email: { userIds: [member.userId] } },
  });
  const clock = clockOf(api);
  const service = { isDown: false };
  const worker = mailWorker(clock, () => service.isDown);
  const fire = (text: string, isCritical = false) =>
    notify(clock.table, {
      ...{ workspaceId: api.workspaceId, actorId: null, title: 'Load', text, apiUrl: `${api.endpoint}/api` },
      cause: { id: crypto.randomUUID(), at: clock.now },
      kind: isCritical ? { ...ALERT_MAILED, mailsAlways: true } : ALERT_MAILED,
      subject: { type: 'alert', id: alert.id },
      userIds: [member.userId],
    });
  const pass = (minutes: number) => passMinutes(api, clock, worker, minutes);
  return { fire, pass, service, sent: worker.sent };
}

const textsOf = ({ mail }: Sent) => mail.blocks?.map((block) => ('text' in block ? block.text : undefined));

describe('Emails of alerts to one person', () => {
  it('are at most twenty an hour, after which one has all the rest', async ({ api }) => {
    const { fire, pass, sent } = await givenMailed(api);
    const fired = Array.from({ length: 26 }, (_, index) => `number ${index}`);
    for (const text of fired) {
      await fire(text);
      await pass(1);
    }
    expect(sent).toHaveLength(20);
    await pass(50);
    expect(sent).toHaveLength(20);
    await pass(12);
    expect(sent).toHaveLength(21);
    expect(sent[20]!.mail).toMatchObject({
      paragraphs: [expect.stringContaining('20 of these emails within an hour')],
    });
    expect(sent.flatMap(textsOf)).toEqual(fired);
    // The hour has begun anew.
    await fire('later');
    await pass(2);
    expect(textsOf(sent[21]!)).toEqual(['later']);
    expect(sent[21]!.mail.paragraphs).toEqual([]);
  });

  it('do not wait if one of them is critical, which is not counted', async ({ api }) => {
    const { fire, pass, service, sent } = await givenMailed(api);
    for (let count = 0; count < 20; count++) {
      await fire(`number ${count}`, count === 0);
      await pass(1);
    }
    expect(sent).toHaveLength(20);
    // A mail whose sending fails is counted once.
    service.isDown = true;
    await fire('the twentieth that counts');
    await expect(pass(1)).rejects.toThrow('the mail service is down');
    service.isDown = false;
    await pass(3);
    expect(sent).toHaveLength(21);
    await fire('held');
    await pass(5);
    expect(sent).toHaveLength(21);
    await fire('critical', true);
    await pass(1);
    expect(sent).toHaveLength(22);
    expect(textsOf(sent[21]!)).toEqual(['held', 'critical']);
    await fire('held again');
    await pass(5);
    expect(sent).toHaveLength(22);
  });
});
