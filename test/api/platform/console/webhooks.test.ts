import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { breakCall } from '../../../support/console/break-call.ts';
import { Clicks, HANDS } from '../../../support/console/clicks.ts';
import { expectGoodInAllForms, HAS_CHROMIUM, PATIENT, useConsoles } from '../../../support/console/open-console.ts';
import { openReceiver, type Receiver } from '../../../support/receiver.ts';
import { deliveriesWhere, EVENT, givenEvent, givenWebhook } from '../../events/webhooks/given.ts';

const consoles = useConsoles();
let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

const UGLY = `<img src=x onerror="document.title='evil'"> ${'a receiver with a very long name '.repeat(4)}`.trim();
const SECRET = /^whsec_[\w+/=-]{20,}$/;

const webhookOf = async (api: Api, id: string) => (await api.as('editor').get(`/api/webhooks/${id}`)).body;

describe.runIf(HAS_CHROMIUM)('the webhooks in the console', () => {
  for (const hand of HANDS) {
    it(`lead from a failing receiver to a replay in three actions by ${hand}`, { timeout: PATIENT }, async ({
      api,
    }) => {
      receiver.answer(410);
      const id = await givenWebhook(api, receiver, { name: 'Operations' });
      await givenEvent(api);
      // That it is turned off is an event too.
      await deliveriesWhere(api, id, 2, { status: 'failed' });
      await expect.poll(async () => (await webhookOf(api, id)).disabledReason).toBe('gone');
      receiver.answer(200);
      const page = await consoles.open(api, { as: 'editor' });
      const clicks = new Clicks(page, hand);
      await clicks.press(page.getByRole('link', { name: 'Webhook Operations' }));
      await page.getByText('turned off: the receiver replied that it is gone').waitFor();
      await clicks.press(page.getByRole('button', { name: 'Replay failed deliveries' }));
      const dialog = page.getByRole('dialog', { name: 'Replay failed deliveries' });
      await dialog.getByText('2 deliveries failed in the last 30 days.').waitFor();
      await expectGoodInAllForms(page, 'webhook replay');
      await clicks.press(dialog.getByRole('button', { name: 'Turn on and replay' }));
      clicks.expectAtMost(3);
      await expect.poll(() => page.getByRole('row', { name: EVENT }).getByText('delivered').count()).toBe(2);
      await deliveriesWhere(api, id, 2, { status: 'delivered' });
      expect(receiver.received).toHaveLength(3);
      expect(await webhookOf(api, id)).toMatchObject({ enabled: true, disabledReason: null });
      await page.locator('h1 + .status.succeeded', { hasText: 'working' }).waitFor();
    });
  }

  it('are created with a secret that is shown once, tested, and show what was sent and answered', {
    timeout: PATIENT,
  }, async ({ api }) => {
    receiver.answer(500, 200);
    receiver.answerBody = () => `<b>an answer</b> ${'that is long '.repeat(60)}`;
    const page = await consoles.open(api, { as: 'editor', path: '/webhooks' });
    await page.getByRole('heading', { name: 'There are no webhooks yet' }).waitFor();
    await expectGoodInAllForms(page, 'webhooks empty');
    await page.getByRole('link', { name: 'New webhook' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(UGLY);
    await page.getByRole('textbox', { name: 'Address' }).fill('https://10.0.0.7/hook');
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    await page.getByRole('alert').getByText('ADDRESS_BLOCKED').waitFor();
    expect((await api.as('owner').get('/api/webhooks')).body.total).toBe(0);
    await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
    await page.getByRole('checkbox', { name: EVENT }).check();
    await page.getByText('More settings').click();
    await page.getByRole('textbox', { name: 'Headers' }).fill('Authorization: Bearer of the receiver\nX-Team: data');
    await expectGoodInAllForms(page, 'webhook new');
    // A lost reply loses no secret, and makes no second webhook.
    const lost = await breakCall(page, 'POST /api/webhooks', 'loses its reply');
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    lost.mend();
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy the secret now' });
    const secret = (await dialog.locator('code').textContent()) ?? '';
    expect(secret).toMatch(SECRET);
    await expectGoodInAllForms(page, 'webhook secret');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1, name: UGLY }).waitFor();
    await page.getByRole('heading', { name: 'Nothing was sent yet' }).waitFor();
    await expectGoodInAllForms(page, 'webhook without deliveries');
    const {
      items: [stored],
      total,
    } = (await api.as('owner').get('/api/webhooks')).body;
    expect(total).toBe(1);
    expect(stored).toMatchObject({ name: UGLY, events: ['pipeline.run_failed', EVENT], hasSecret: true });
    expect(Object.keys(stored.headers)).toEqual(['Authorization', 'X-Team']);

    const test = page.getByRole('button', { name: 'Send a test' });
    const lostTest = await breakCall(page, 'POST /api/webhooks/*/test', 'loses its reply');
    await test.click();
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    lostTest.mend();
    await test.click();
    await page
      .getByText(/^You started this at .*, but the reply was lost\. To start it again, repeat the action\.$/)
      .waitFor();
    const row = page.getByRole('row', { name: 'webhook.test' });
    await row.getByText('delivered').waitFor();
    await expectGoodInAllForms(page, 'webhook deliveries');
    await page.getByLabel('Status').selectOption('failed');
    await page.getByRole('heading', { name: 'No delivery matches' }).waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('failed');
    await page.getByLabel('Status').selectOption('');
    await page.getByRole('link', { name: 'webhook.test' }).click();
    const attempts = page.locator('.attempts > li');
    await expect.poll(() => attempts.count()).toBe(2);
    const [delivery] = await deliveriesWhere(api, stored.id, 1, { status: 'delivered' });
    const path = `/api/webhooks/${stored.id}/deliveries/${delivery.id}`;
    await expect.poll(async () => (await api.as('editor').get(path)).body.attemptDetails[1].at).not.toBeNull();
    const { body: detail } = await api.as('editor').get(path);
    await expect.poll(() => attempts.last().textContent()).toContain('the receiver answered 500');
    await expect.poll(() => attempts.first().locator('pre').textContent()).toBe(detail.attemptDetails[1].reply);
    const body = page.getByRole('region', { name: 'Body of the request' });
    const { headers, body: sent } = receiver.received[0]!;
    expect(JSON.parse((await body.textContent())!)).toEqual(JSON.parse(sent));
    const signed = `${headers['x-service-timestamp']}.${headers['x-service-delivery-id']}.${sent}`;
    const signature = createHmac('sha256', secret).update(signed).digest('hex');
    expect(headers['x-service-signature']).toBe(`sha256=${signature}`);
    await expectGoodInAllForms(page, 'delivery');
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await expect.poll(() => attempts.count()).toBe(3);
    await receiver.waitFor(3);
    expect(receiver.received[2]!.body).toBe(receiver.received[0]!.body);

    // What receivers answer is not for viewers.
    const viewer = await consoles.open(api, { as: 'viewer', path: `/webhooks/${stored.id}/${delivery.id}` });
    await viewer.locator('.attempts > li').first().waitFor();
    expect(await viewer.locator('.attempts pre').count()).toBe(0);
  });

  it('are changed without a loss between two people; secrets and headers are entered again for another server', {
    timeout: PATIENT,
  }, async ({ api }) => {
    const headers = { Authorization: 'Bearer of the receiver' };
    const id = await givenWebhook(api, receiver, { headers, secret: 'the first secret' });
    const [one, other] = await Promise.all([
      consoles.open(api, { path: `/webhooks/${id}?tab=settings` }),
      consoles.open(api, { as: 'editor', path: `/webhooks/${id}?tab=settings` }),
    ]);
    const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
    for (const page of [one, other]) await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await one.getByRole('textbox', { name: 'Name' }).fill('hers');
    await one.getByRole('checkbox', { name: 'alert.fired' }).check();
    await save(one);
    await one.getByRole('heading', { level: 1, name: 'hers' }).waitFor();
    await other.getByRole('textbox', { name: 'Name' }).fill('his');
    await save(other);
    const changed = other.getByRole('alert').filter({ hasText: 'Another person has changed this' });
    await changed.waitFor();
    expect(await changed.getByRole('term').allTextContents()).toEqual(['Name', 'Events']);
    expect(await webhookOf(api, id)).toMatchObject({ name: 'hers', events: [EVENT, 'alert.fired'] });
    await expectGoodInAllForms(other, 'webhook changed');
    await changed.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => other.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('hers');

    await other.getByRole('button', { name: 'Replace the secret' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Replace', exact: true }).click();
    const shown = other.getByRole('dialog', { name: 'Copy the secret now' });
    expect(await shown.locator('code').textContent()).toMatch(SECRET);
    await other.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
    expect(await webhookOf(api, id)).toMatchObject({ hasSecret: true, headers: { Authorization: '******' } });

    await other.getByRole('textbox', { name: 'Address' }).fill(receiver.url.replace(/:\d+/, ':4444'));
    await other.getByText('This is another server').waitFor();
    await expectGoodInAllForms(other, 'webhook of another server');
    await other.getByLabel('Secret', { exact: true }).fill('for the other server');
    await other.getByRole('textbox', { name: 'Headers' }).fill('no header');
    await save(other);
    await other.getByRole('alert').getByText('“no header” is not a header.').waitFor();
    await other.getByRole('textbox', { name: 'Headers' }).fill('');
    await save(other);
    await expect.poll(async () => (await webhookOf(api, id)).headers).toEqual({});
    expect(await webhookOf(api, id)).toMatchObject({ hasSecret: true, events: [EVENT, 'alert.fired'] });

    await other.getByRole('button', { name: 'Turn off' }).click();
    await other.getByRole('button', { name: 'Turn on' }).waitFor();
    expect(await webhookOf(api, id)).toMatchObject({ enabled: false, disabledReason: 'manual' });
    await other.getByRole('button', { name: 'Delete the webhook' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await other.getByRole('heading', { name: 'There are no webhooks yet' }).waitFor();
    expect((await api.as('editor').get(`/api/webhooks/${id}`)).status).toBe(404);
  });

  it('are listed with those that fail first, say what failed at each call, and are hidden from others', {
    timeout: PATIENT,
  }, async ({ api }) => {
    await givenWebhook(api, receiver, { name: 'a fine one', events: [] });
    await givenWebhook(api, receiver, { name: UGLY, events: ['*'], enabled: false });
    receiver.answer(410);
    const gone = await givenWebhook(api, receiver, { name: 'z gone', events: ['*'] });
    await givenEvent(api);
    await expect.poll(async () => (await webhookOf(api, gone)).disabledReason).toBe('gone');
    const page = await consoles.open(api, { as: 'viewer', path: '/webhooks' });
    await page.getByRole('link', { name: 'z gone' }).waitFor();
    expect(await page.locator('tbody tr').first().textContent()).toContain('z gone');
    expect(await page.locator('tbody tr').last().textContent()).toContain('off');
    await expectGoodInAllForms(page, 'webhooks');

    const problem = { type: 'about:blank', title: 'x', status: 500, code: 'INTERNAL', errors: [], requestId: 'r-1' };
    for (const [path, calls, sign] of [
      ['/webhooks', /\/api\/webhooks\?/, 'z gone'],
      [`/webhooks/${gone}`, new RegExp(`/api/webhooks/${gone}$`), 'Turn on'],
      [`/webhooks/${gone}`, /\/deliveries\?/, EVENT],
    ] as const) {
      await page.route(calls, (route) => route.fulfill({ status: 500, json: { ...problem, detail: 'It failed.' } }));
      await page.goto(`${api.endpoint}/api/console${path}`);
      const alert = page.getByRole('alert').filter({ hasText: 'It failed.' });
      await alert.waitFor();
      expect(await alert.textContent()).toContain('INTERNAL · request r-1');
      await page.unroute(calls);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await page.getByText(sign).first().waitFor();
    }
    await page.getByRole('link', { name: EVENT }).last().click();
    await page.getByText('The receiver replied 410').waitFor();
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByRole('alert').getByText('WEBHOOK_DISABLED').waitFor();
    await expectGoodInAllForms(page, 'delivery refused');

    const theirs = (
      await api.as('stranger').post('/api/webhooks', { name: 'x', url: receiver.url, kind: 'generic', events: [] })
    ).body;
    await page.goto(`${api.endpoint}/api/console/webhooks/${theirs.id}`);
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('WEBHOOK_NOT_FOUND');
    await expectGoodInAllForms(page, 'webhook that does not exist');
  });
});
