import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../core/clock.ts';
import { ECHO, serve, startGateway, type TestGateway } from './support/gateway.ts';
import { managementClient } from './support/management.ts';

const START = Date.UTC(2026, 0, 1);
const FUNCTION = 'arn:aws:lambda:us-east-1:000000000000:function:echo';
const uri = `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${FUNCTION}/invocations`;
const clock = new ManualClock(START);
let test: TestGateway;
let call: ReturnType<typeof managementClient>;
beforeEach(async () => {
  test = await startGateway(clock);
  call = managementClient(test.endpoint);
});
afterEach(() => test.close());

async function createApi(more: object = {}): Promise<{ id: string; rootResourceId: string }> {
  return (await call('POST', '/restapis', { name: 'orders', ...more })).body;
}
async function createResource(apiId: string, parentId: string, pathPart: string): Promise<string> {
  return (await call('POST', `/restapis/${apiId}/resources/${parentId}`, { pathPart })).body.id;
}
async function putMethod(apiId: string, resourceId: string): Promise<string> {
  const path = `/restapis/${apiId}/resources/${resourceId}/methods/ANY`;
  expect(await call('PUT', path, { authorizationType: 'NONE' })).toMatchObject({ status: 201 });
  const integration = await call('PUT', `${path}/integration`, { type: 'AWS_PROXY', httpMethod: 'POST', uri });
  expect(integration).toMatchObject({ status: 201, body: { type: 'AWS_PROXY', uri, timeoutInMillis: 29_000 } });
  return path;
}

describe('an API made through the management API', () => {
  it('serves once its deployment has a stage, restarts included', async () => {
    const { id, rootResourceId } = await createApi();
    const orders = await createResource(id, rootResourceId, 'orders');
    await putMethod(id, await createResource(id, orders, '{orderId}'));
    expect((await fetch(`${test.endpoint}/v1/orders/7`)).status).toBe(403);

    const deployment = await call('POST', `/restapis/${id}/deployments`, { description: 'first' });
    expect(deployment).toMatchObject({ status: 201, body: { description: 'first', createdDate: START / 1000 } });
    const stage = { stageName: 'v1', deploymentId: deployment.body.id, variables: { color: 'blue' } };
    expect(await call('POST', `/restapis/${id}/stages`, stage)).toMatchObject({ status: 201, body: stage });
    await test.restart();
    const event = await (await fetch(`${test.endpoint}/v1/orders/7`)).json();
    expect(event).toMatchObject({ pathParameters: { orderId: '7' }, stageVariables: { color: 'blue' } });
  });

  it('is listed and described, page by page', async () => {
    const types = ['REGIONAL'];
    const { id, rootResourceId } = await createApi({
      ...{ description: 'all orders', binaryMediaTypes: ['image/*'], endpointConfiguration: { types } },
      minimumCompressionSize: 1024,
    });
    expect(await call('GET', `/restapis/${id}`)).toMatchObject({
      status: 200,
      body: {
        ...{ id, name: 'orders', description: 'all orders', rootResourceId, createdDate: START / 1000 },
        ...{ binaryMediaTypes: ['image/*'], endpointConfiguration: { types }, minimumCompressionSize: 1024 },
      },
    });
    await createApi({ name: 'second' });
    const first = await call('GET', '/restapis?limit=1');
    expect(first.body.item).toHaveLength(1);
    const second = await call('GET', `/restapis?limit=1&position=${encodeURIComponent(first.body.position)}`);
    expect([...first.body.item, ...second.body.item].map(({ name }) => name).sort()).toEqual(['orders', 'second']);
    expect(second.body.position).toBeUndefined();

    const orders = await createResource(id, rootResourceId, 'orders');
    await putMethod(id, orders);
    const { body: tree } = await call('GET', `/restapis/${id}/resources`);
    expect(tree.item).toHaveLength(2);
    expect(tree.item).toContainEqual({ id: rootResourceId, path: '/' });
    expect(tree.item).toContainEqual({
      ...{ id: orders, parentId: rootResourceId, pathPart: 'orders', path: '/orders', resourceMethods: { ANY: {} } },
    });
    const { body: embedded } = await call('GET', `/restapis/${id}/resources/${orders}?embed=methods`);
    expect(embedded.resourceMethods.ANY).toMatchObject({ authorizationType: 'NONE', methodIntegration: { uri } });
  });

  it('changes by patches, and serves another deployment when its stage points to it', async () => {
    const { id, rootResourceId } = await createApi();
    const patchOperations = [
      { op: 'replace', path: '/name', value: 'sales' },
      { op: 'add', path: '/binaryMediaTypes/image~1*' },
      { op: 'replace', path: '/minimumCompressionSize', value: '10' },
    ];
    expect(await call('PATCH', `/restapis/${id}`, { patchOperations })).toMatchObject({
      ...{ status: 200, body: { name: 'sales', binaryMediaTypes: ['image/*'], minimumCompressionSize: 10 } },
    });
    const uncompressed = [{ op: 'replace', path: '/minimumCompressionSize', value: '' }];
    expect((await call('PATCH', `/restapis/${id}`, { patchOperations: uncompressed })).body).not.toHaveProperty(
      'minimumCompressionSize',
    );
    await putMethod(id, await createResource(id, rootResourceId, 'old'));
    await call('POST', `/restapis/${id}/deployments`, { stageName: 'v1' });
    await putMethod(id, await createResource(id, rootResourceId, 'new'));
    const { body: later } = await call('POST', `/restapis/${id}/deployments`, {});
    expect((await fetch(`${test.endpoint}/v1/new`)).status).toBe(403);

    await clock.advance(1000);
    const repoint = [
      { op: 'replace', path: '/deploymentId', value: later.id },
      { op: 'replace', path: '/variables/color', value: 'red' },
    ];
    expect(await call('PATCH', `/restapis/${id}/stages/v1`, { patchOperations: repoint })).toMatchObject({
      body: { deploymentId: later.id, lastUpdatedDate: clock.now() / 1000 },
    });
    expect(await (await fetch(`${test.endpoint}/v1/new`)).json()).toMatchObject({ stageVariables: { color: 'red' } });
    expect((await call('GET', `/restapis/${id}/stages?deploymentId=${later.id}`)).body.item).toHaveLength(1);
    expect((await call('GET', `/restapis/${id}/deployments`)).body.item).toHaveLength(2);
  });

  it('is taken down part by part', async () => {
    const { id, rootResourceId } = await createApi();
    const parent = await createResource(id, rootResourceId, 'parent');
    await putMethod(id, await createResource(id, parent, 'child'));
    const { body: deployment } = await call('POST', `/restapis/${id}/deployments`, { stageName: 'v1' });
    expect(await call('DELETE', `/restapis/${id}/deployments/${deployment.id}`)).toMatchObject({
      ...{ status: 400, error: 'BadRequestException' },
    });
    expect((await call('DELETE', `/restapis/${id}/stages/v1`)).status).toBe(202);
    expect((await fetch(`${test.endpoint}/v1/parent/child`)).status).toBe(403);
    expect((await call('DELETE', `/restapis/${id}/deployments/${deployment.id}`)).status).toBe(202);
    expect((await call('DELETE', `/restapis/${id}/resources/${parent}`)).status).toBe(202);
    expect((await call('GET', `/restapis/${id}/resources`)).body.item).toEqual([{ id: rootResourceId, path: '/' }]);
    const method = await putMethod(id, rootResourceId);
    expect((await call('DELETE', `${method}/integration`)).status).toBe(204);
    expect(await call('GET', `${method}/integration`)).toMatchObject({ status: 404, error: 'NotFoundException' });
    expect((await call('DELETE', method)).status).toBe(204);
    expect((await call('DELETE', `/restapis/${id}`)).status).toBe(202);
    expect(await call('GET', `/restapis/${id}`)).toMatchObject({
      ...{ status: 404, error: 'NotFoundException', body: { message: 'Invalid API identifier specified' } },
    });
  });

  it('is listed there when a template created it', async () => {
    serve(test.control, { '/things/{id}': ECHO });
    expect((await call('GET', '/restapis')).body.item).toMatchObject([{ name: 'test' }]);
    const { item } = (await call('GET', '/restapis/abcdefghij/resources')).body;
    expect(item.map(({ path }: { path: string }) => path).sort()).toEqual(['/', '/things', '/things/{id}']);
    expect((await call('GET', '/restapis/abcdefghij/stages')).body.item).toMatchObject([{ stageName: 'api' }]);
  });
});

describe('the management API rejects', () => {
  it("conflicts, missing resources and invalid input with AWS's messages", async () => {
    const { id, rootResourceId } = await createApi();
    const orders = await createResource(id, rootResourceId, 'orders');
    const resource = `/restapis/${id}/resources/${orders}`;
    const method = await putMethod(id, orders);
    const expectations = [
      ['POST', '/restapis', {}, 400, 'BadRequestException'],
      ['POST', `/restapis/${id}/resources/${rootResourceId}`, { pathPart: 'orders' }, 409, 'ConflictException'],
      ['POST', `/restapis/${id}/resources/none`, { pathPart: 'orders' }, 404, 'NotFoundException'],
      ['PUT', method, { authorizationType: 'NONE' }, 409, 'ConflictException'],
      ['PUT', `${resource}/methods/BREW`, { authorizationType: 'NONE' }, 400, 'BadRequestException'],
      ['PUT', `${resource}/methods/GET`, {}, 400, 'BadRequestException'],
      ['PUT', `${method}/integration`, { type: 'AWS_PROXY', httpMethod: 'GET', uri }, 400, 'BadRequestException'],
      ['PUT', `${method}/integration`, { type: 'AWS_PROXY', httpMethod: 'POST' }, 400, 'BadRequestException'],
      ['GET', `${resource}/methods/GET`, undefined, 404, 'NotFoundException'],
      ['DELETE', `/restapis/${id}/resources/${rootResourceId}`, undefined, 400, 'BadRequestException'],
      ['POST', `/restapis/${id}/stages`, { stageName: 'v1', deploymentId: 'none' }, 400, 'BadRequestException'],
      ['DELETE', `/restapis/${id}/stages/v1`, undefined, 404, 'NotFoundException'],
      ['GET', '/restapis?limit=0', undefined, 400, 'BadRequestException'],
    ] as const;
    for (const [verb, path, body, status, error] of expectations) {
      expect(await call(verb, path, body), `${verb} ${path}`).toMatchObject({ status, error });
    }
    await call('PUT', `${resource}/methods/GET`, { authorizationType: 'NONE' });
    expect(await call('POST', `/restapis/${id}/deployments`, {})).toMatchObject({
      ...{ status: 400, body: { message: 'No integration defined for method' } },
    });
  });

  it('unsupported members by name', async () => {
    const { id, rootResourceId } = await createApi();
    const method = `/restapis/${id}/resources/${rootResourceId}/methods/GET`;
    const unsupported = [
      ['POST', '/restapis', { name: 'a', cloneFrom: id }, 'cloneFrom of CreateRestApi'],
      ['POST', '/restapis', { name: 'a', endpointConfiguration: { types: ['PRIVATE'] } }, 'endpoint type PRIVATE'],
      ['PUT', method, { authorizationType: 'AWS_IAM' }, 'authorization type AWS_IAM of PutMethod'],
      ['PUT', method, { authorizationType: 'NONE', apiKeyRequired: true }, 'apiKeyRequired of PutMethod'],
      ['PUT', method, { authorizationType: 'NONE', requestModels: {} }, 'requestModels of PutMethod'],
      ['POST', `/restapis/${id}/deployments`, { canarySettings: {} }, 'canarySettings of CreateDeployment'],
      [
        ...(['PATCH', `/restapis/${id}`] as const),
        { patchOperations: [{ op: 'replace', path: '/policy', value: '' }] },
        'replace /policy of UpdateRestApi',
      ],
      ['GET', '/apikeys', undefined, 'GET /apikeys'],
      ['PUT', `${method}/responses/200`, {}, `PUT ${method}/responses/200`],
    ] as const;
    for (const [verb, path, body, named] of unsupported) {
      const reply = await call(verb, path, body);
      expect(reply).toMatchObject({ status: 400, error: 'UnsupportedOperationException' });
      expect(reply.body.message).toContain(named);
    }
  });
});
