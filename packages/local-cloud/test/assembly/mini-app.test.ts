import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { synthesizeMiniApp } from './mini-app/app.ts';
import { clientOptions, type Deployment, startDeployment } from './support/assembly.ts';

let deployment: Deployment;

beforeAll(async () => {
  deployment = await startDeployment();
  synthesizeMiniApp(deployment.folder('one'), deployment.folder('bundles'), { version: 'one' });
  await deployment.cloud.deploy(deployment.folder('one'));
});
afterAll(() => deployment.close());

const call = (path: string, init?: RequestInit) => fetch(`${deployment.cloud.endpoint}/api${path}`, init);

function act(action: string, id: string, text = 'text'): Promise<Response> {
  return call('/notes', { method: 'POST', body: JSON.stringify({ action, id, text }) });
}

async function noted(id: string): Promise<unknown> {
  const reply = await call(`/notes/${encodeURIComponent(id)}`);
  return reply.status === 200 ? ((await reply.json()) as { text: string }).text : undefined;
}

/** Delivery through queues and streams takes time. */
const arrives = (id: string, text: string) => expect.poll(() => noted(id), { timeout: 90_000 }).toBe(text);

describe('an app of every construct', () => {
  it('serves requests through the gateway, from the table that the template declares', async () => {
    const reply = await act('note', 'a');
    expect([reply.status, await reply.json()]).toEqual([202, { version: 'one' }]);
    expect(await noted('a')).toBe('text');
  });

  it('delivers queue messages to the function', async () => {
    await act('send', 'q');
    await arrives('queue:q', 'text');
  });

  it("delivers the table's changes that match the filter", async () => {
    await act('note', 'watched-1', 'seen');
    await arrives('stream:watched-1', 'seen');
    expect(await noted('stream:a')).toBeUndefined();
  });

  it('delivers uploads through a rule and a queue', async () => {
    await act('put', 'in/file');
    await arrives('event:in/file', 'Object Created');
  });

  it('runs the state machine with its substitutions', async () => {
    await act('run', 'm', 'made');
    await arrives('machine:m', 'made');
  });

  it('streams', async () => {
    const reply = await call('/stream');
    expect(reply.headers.get('content-type')).toBe('text/event-stream');
    expect(await reply.text()).toBe('data: one\n\ndata: two\n\n');
  });

  it('answers preflights and unknown paths as the template says', async () => {
    const preflight = await call('/notes', { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    const missing = await call('/nowhere');
    expect(missing.headers.get('content-type')).toBe('application/problem+json');
    expect([missing.status, await missing.json()]).toEqual([404, { instance: '/api/nowhere' }]);
  });

  it('writes the access log', async () => {
    const logs = new CloudWatchLogsClient(clientOptions(deployment.cloud));
    await call('/nowhere-else');
    await expect
      .poll(async () => {
        const { events } = await logs.send(new FilterLogEventsCommand({ logGroupName: 'mini-access' }));
        return events?.map((event) => event.message);
      })
      .toContainEqual(expect.stringMatching(/^[0-9a-f-]{36} GET \/api\/nowhere-else 404$/));
    logs.destroy();
  });

  it('is unchanged by a second deployment, also after a restart without its assembly', async () => {
    synthesizeMiniApp(deployment.folder('again'), deployment.folder('bundles'), { version: 'one' });
    expect((await deployment.cloud.deploy(deployment.folder('again'))).changed).toEqual([]);
    await deployment.restart({ samePort: true });
    expect(await noted('a')).toBe('text');
    expect((await deployment.cloud.deploy(deployment.folder('again'))).changed).toEqual([]);
  });

  it('changes only where the next version differs', async () => {
    synthesizeMiniApp(deployment.folder('two'), deployment.folder('bundles'), { version: 'two', extraRoute: true });
    const { changed } = await deployment.cloud.deploy(deployment.folder('two'));

    const actions = changed.map(({ type, action }) => `${action} ${type}`);
    expect(new Set(actions)).toEqual(
      new Set([
        'updated AWS::Lambda::Function',
        'updated AWS::SSM::Parameter',
        'created AWS::ApiGateway::Resource',
        'created AWS::ApiGateway::Method',
        'created AWS::ApiGateway::Deployment',
        'updated AWS::ApiGateway::Stage',
        'deleted AWS::ApiGateway::Deployment',
      ]),
    );
    const reply = await call('/extra', { method: 'POST', body: '{}' });
    expect(await reply.json()).toEqual({ version: 'two' });
    expect(await noted('a')).toBe('text');
    const ssm = new SSMClient(clientOptions(deployment.cloud));
    const { Parameter } = await ssm.send(new GetParameterCommand({ Name: '/mini/parameter' }));
    expect(Parameter?.Value).toBe('two');
    ssm.destroy();
  });

  it('continues its work on another port', async () => {
    await deployment.restart();
    await deployment.cloud.deploy(deployment.folder('two'));
    await act('send', 'moved');
    await arrives('queue:moved', 'text');
  });
});
