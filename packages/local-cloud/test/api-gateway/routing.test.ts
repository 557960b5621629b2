import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API, ECHO, serve, startGateway, type TestGateway } from './support/gateway.ts';

let test: TestGateway;

beforeAll(async () => {
  test = await startGateway();
  serve(test.control, {
    '/pipelines': ECHO,
    '/pipelines/{proxy+}': ECHO,
    '/pipelines/runs': ECHO,
    '/pipelines/runs/{runId}': ECHO,
    '/pipelines/runs/{runId}/events': ECHO,
    '/only-below/here': ECHO,
  });
});
afterAll(() => test.close());

async function resourceOf(path: string): Promise<unknown> {
  const reply = await fetch(test.endpoint + path);
  return { status: reply.status, ...((await reply.json()) as object) };
}

describe('the resource that answers', () => {
  it.each([
    ['/api/pipelines', '/pipelines', null],
    ['/api/pipelines/', '/pipelines', null],
    ['//api/pipelines', '/pipelines', null],
    ['/api/pipelines/7', '/pipelines/{proxy+}', { proxy: '7' }],
    ['/api/pipelines/7/steps/8', '/pipelines/{proxy+}', { proxy: '7/steps/8' }],
    ['/api/pipelines/runs', '/pipelines/runs', null],
    ['/api/pipelines/runs/9', '/pipelines/runs/{runId}', { runId: '9' }],
    ['/api/pipelines/runs/9/events', '/pipelines/runs/{runId}/events', { runId: '9' }],
    ['/api/pipelines/a%2Fb', '/pipelines/{proxy+}', { proxy: 'a/b' }],
    ['/api/pipelines/%E0%A4%A', '/pipelines/{proxy+}', { proxy: '%E0%A4%A' }],
  ])('for %s is %s', async (path, resource, pathParameters) => {
    expect(await resourceOf(path)).toMatchObject({ status: 200, resource, pathParameters });
  });

  it.each(['/api', '/api/', '/api/nowhere', '/api/only-below', '/api/pipelines/runs/9/logs'])(
    'does not exist for %s, even below a literal child whose greedy sibling would match',
    async (path) => {
      const reply = await fetch(test.endpoint + path);
      expect([reply.status, await reply.json()]).toEqual([403, { message: 'Missing Authentication Token' }]);
    },
  );

  it('does not exist outside of a stage', async () => {
    const reply = await fetch(`${test.endpoint}/other/pipelines`);
    expect([reply.status, await reply.json()]).toEqual([403, { message: 'Forbidden' }]);
  });

  it('is found whatever the request line looks like', async () => {
    const { port } = new URL(test.endpoint);
    for (const path of ['//', '/api//pipelines', '/api/pipelines?%', '*']) {
      const status = await new Promise<number>((resolve, reject) => {
        const message = request({ port, path, method: 'OPTIONS' }, async (reply) => {
          await text(reply);
          resolve(reply.statusCode ?? 0);
        });
        message.on('error', reject).end();
      });
      expect([200, 403]).toContain(status);
    }
  });
});

describe('methods', () => {
  it('prefers a specific method and rejects one that is not declared', async () => {
    const { control } = test;
    const mock = { type: 'MOCK', statusCode: 204, headers: { 'Access-Control-Allow-Origin': '*' } } as const;
    control.putResource(API.id, { id: 'methods', parentId: API.rootResourceId, pathPart: 'methods' });
    control.putMethod(API.id, { resourceId: 'methods', httpMethod: 'OPTIONS', integration: mock });
    control.putMethod(API.id, { resourceId: 'methods', httpMethod: 'GET', integration: ECHO });
    control.putDeployment(API.id, { id: 'methods' });
    control.putStage(API.id, { name: 'methods', deploymentId: 'methods', variables: { colour: 'red' } });
    const call = (method: string) => fetch(`${test.endpoint}/methods/methods`, { method });

    expect(await (await call('GET')).json()).toMatchObject({ httpMethod: 'GET', stageVariables: { colour: 'red' } });
    const preflight = await call('OPTIONS');
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect((await call('DELETE')).status).toBe(403);
  });
});

describe('deployments', () => {
  it('hide changes from clients until the next deployment, and survive a restart', async () => {
    const { control } = test;
    control.putResource(API.id, { id: 'later', parentId: API.rootResourceId, pathPart: 'later' });
    control.putMethod(API.id, { resourceId: 'later', httpMethod: 'ANY', integration: ECHO });
    expect((await fetch(`${test.endpoint}/api/later`)).status).toBe(403);

    control.putDeployment(API.id, { id: 'second' });
    control.putStage(API.id, { name: 'api', deploymentId: 'second', variables: {} });
    expect((await fetch(`${test.endpoint}/api/later`)).status).toBe(200);

    await test.restart();
    expect((await fetch(`${test.endpoint}/api/later`)).status).toBe(200);
  });

  it("are rejected with AWS's messages", () => {
    const { control } = test;
    const put = (id: string, parentId: string, pathPart: string) => () =>
      control.putResource(API.id, { id, parentId, pathPart });

    expect(put('x', 'r1', '{id}')).toThrow(
      'A sibling ({proxy+}) of this resource already has a variable path part -- only one is allowed',
    );
    expect(put('x', 'r1', 'runs')).toThrow('Another resource with the same parent already has this name: runs');
    expect(put('x', 'nobody', 'a')).toThrow('Invalid Resource identifier specified');
    expect(put('x', 'r2', 'below')).toThrow('greedy path variable');
    expect(put('x', 'r1', 'a/b')).toThrow("Resource's path part only allow");
    expect(() => control.deleteDeployment(API.id, 'second')).toThrow('Active stages pointing to this deployment');
    control.putRestApi({ ...API, id: 'other' });
    expect(() => control.putDeployment('other', { id: 'd' })).toThrow("The REST API doesn't contain any methods");
  });
});
