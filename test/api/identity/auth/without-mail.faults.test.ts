import { GetFunctionConfigurationCommand, UpdateFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { expect } from 'vitest';
import { operatorClients } from '../../../../infra/operator.ts';
import { type Api, it } from '../../../support/api.ts';
import { exchange, signInAt } from '../../../support/given/identity-provider.ts';
import { mailsTo } from '../../../support/given/mails.ts';
import { givenMember, tokenOf } from '../../../support/given/member.ts';
import { posted } from '../../../support/given/model.ts';
import { givenOpenId } from '../../../support/given/openid.ts';
import { givenSchedule } from '../../../support/given/schedules.ts';
import { givenReceiver } from '../../../support/given/targets.ts';

/** Takes the sender from a function until the test ends. */
async function withoutSender(api: Api, name: string, onTestFinished: (undo: () => Promise<void>) => void) {
  const { lambda } = operatorClients(api.endpoint);
  const FunctionName = `AnalyticsRuntime-${name}`;
  const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
  const configure = async (Variables: Record<string, string>) =>
    void (await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } })));
  const { MAIL_FROM: _, ...others } = Environment!.Variables!;
  await configure(others);
  onTestFinished(() => configure(Environment!.Variables!));
}

it('resets no password in a deployment that sends no mail', async ({ api, onTestFinished }) => {
  const { email } = await givenMember(api);
  await withoutSender(api, 'auth', onTestFinished);
  for (const address of [email, `unknown-${crypto.randomUUID()}@example.com`]) {
    expect(await api.as('anonymous').post('/api/auth/password/forgot', { email: address })).toMatchObject({
      status: 503,
      body: { code: 'MAIL_NOT_CONFIGURED' },
    });
  }
  expect(await mailsTo(api, email)).toEqual([]);
});

it('replies with the token of an invitation in a deployment that sends no mail', async ({ api, onTestFinished }) => {
  await withoutSender(api, 'workspaces', onTestFinished);
  const email = `invited-${crypto.randomUUID()}@example.com`;
  const { status, body } = await api.as('owner').post('/api/workspaces/invitations', { email, role: 'viewer' });
  expect(status).toBe(201);
  const path = `/api/workspaces/invitations/${body.id}`;
  expect((await api.as('owner').get(path)).body).toMatchObject({ token: null, sentAt: null });
  const { token } = (await api.as('owner').post(`${path}/resend`)).body;
  const accept = (given: string) =>
    api.as('anonymous').post('/api/auth/invitations/accept', { token: given, password: 'a password of my own' });
  expect(await accept(body.token)).toMatchObject({ status: 401, body: { code: 'INVALID_INVITATION' } });
  expect((await accept(token)).status).toBe(200);
  expect(await tokenOf(api, { email, password: 'a password of my own' })).toEqual(expect.any(String));
  expect(await mailsTo(api, email)).toEqual([]);
});

it('ends the password of an invitation whose token an admin could read, at the first single sign-on', async ({
  api,
  onTestFinished,
}) => {
  await withoutSender(api, 'workspaces', onTestFinished);
  const { slug, domain } = await givenOpenId(api, { s1: { email: 'grace' } });
  const account = { email: `grace@${domain}`, password: 'known to the admin' };
  const invitation = { email: account.email, role: 'viewer' };
  const { token } = (await api.as('owner').post('/api/workspaces/invitations', invitation)).body;
  const { password } = account;
  expect((await api.as('anonymous').post('/api/auth/invitations/accept', { token, password })).status).toBe(200);
  const signIn = () => api.as('anonymous').post('/api/auth/login', account);
  expect((await signIn()).status).toBe(200);
  expect((await exchange(api, await signInAt(api, slug, 's1'))).body.user.email).toBe(account.email);
  expect(await signIn()).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } });
});

it('sends no digest of metrics in a deployment that sends no mail', async ({ api, onTestFinished }) => {
  await withoutSender(api, 'metrics', onTestFinished);
  const id = '00000000-0000-7000-8000-000000000000';
  const digest = { name: 'Numbers', metricIds: [id], cron: '@daily', recipientIds: [id] };
  const refused = { status: 503, body: { code: 'MAIL_NOT_CONFIGURED' } };
  expect(await api.as('editor').post('/api/metrics/digests', digest)).toMatchObject(refused);
  expect(await api.as('editor').post(`/api/metrics/digests/${id}/send`)).toMatchObject(refused);
});

it.for([
  ['dashboards', { name: 'Sent' }],
  ['reports', { name: 'Sent', layout: { blocks: [] } }],
  ['stories', { title: 'Sent', sections: [] }],
] as const)('sends no %s in a deployment that sends no mail', async ([nouns, body], { api, onTestFinished }) => {
  const { id } = await posted(api, `/api/${nouns}`, body);
  if (nouns === 'stories') await api.as('editor').post(`/api/stories/${id}/publish`);
  const schedules = `/api/${nouns}/${id}/schedules`;
  const { path: mailed } = await givenSchedule(api, `/api/${nouns}/${id}`);
  await withoutSender(api, nouns === 'stories' ? 'story-deliveries' : nouns, onTestFinished);
  const refused = { status: 503, body: { code: 'MAIL_NOT_CONFIGURED' } };
  expect(await api.as('editor').post(schedules, { name: 'x', cronExpression: '@daily' })).toMatchObject(refused);
  expect(await api.as('editor').post(`${mailed}/run`)).toMatchObject(refused);

  const receiver = await givenReceiver(api);
  const targets = [{ type: 'webhook', url: receiver.url }];
  const { path: posting } = await givenSchedule(api, `/api/${nouns}/${id}`, { targets });
  const me = (await api.as('editor').get('/api/auth/me')).body.user;
  expect(await api.as('editor').put(posting, { recipients: [me.email] })).toMatchObject(refused);
  expect((await api.as('editor').post(`${posting}/run`)).status).toBe(202);
});
