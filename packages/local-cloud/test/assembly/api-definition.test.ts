import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readApiDefinition } from '../../services/api-gateway/definition.ts';
import { type Deployment, startDeployment } from './support/assembly.ts';

const FUNCTION =
  'arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:000000000000:function:f/invocations';

const mock = (statusCode: string) => ({
  'x-amazon-apigateway-integration': {
    type: 'mock',
    requestTemplates: { 'application/json': '{}' },
    responses: { default: { statusCode, responseParameters: { 'method.response.header.x-shape': "'new'" } } },
  },
});
const definition = (paths: object, more: object = {}) => ({
  openapi: '3.0.1',
  info: { title: 'api', version: '1' },
  ...more,
  paths,
});
const api = (properties: object) => ({ Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'api', ...properties } });
const deployed = (logicalId: string, dependsOn: string[]) => ({
  [logicalId]: {
    Type: 'AWS::ApiGateway::Deployment',
    DependsOn: dependsOn,
    Properties: { RestApiId: { Ref: 'Api' } },
  },
  Stage: {
    Type: 'AWS::ApiGateway::Stage',
    Properties: { RestApiId: { Ref: 'Api' }, StageName: 'api', DeploymentId: { Ref: logicalId } },
  },
});
const resource = (parent: object, PathPart: string) => ({
  Type: 'AWS::ApiGateway::Resource',
  Properties: { RestApiId: { Ref: 'Api' }, ParentId: parent, PathPart },
});
const oldMethod = (id: string, StatusCode: string) => ({
  Type: 'AWS::ApiGateway::Method',
  Properties: {
    ...{ RestApiId: { Ref: 'Api' }, ResourceId: { Ref: id }, HttpMethod: 'OPTIONS', AuthorizationType: 'NONE' },
    Integration: { Type: 'MOCK', IntegrationResponses: [{ StatusCode }], RequestTemplates: {} },
  },
});
const gatewayResponse = (StatusCode: string) => ({
  Type: 'AWS::ApiGateway::GatewayResponse',
  Properties: { RestApiId: { Ref: 'Api' }, ResponseType: 'MISSING_AUTHENTICATION_TOKEN', StatusCode },
});
const notFound = { MISSING_AUTHENTICATION_TOKEN: { statusCode: 404 } };

describe('an API that an OpenAPI document defines', () => {
  let deployment: Deployment;
  beforeEach(async () => {
    deployment = await startDeployment();
  });
  afterEach(() => deployment.close());

  const ask = async (path: string) => {
    const reply = await fetch(`${deployment.cloud.endpoint}/api${path}`, { method: 'OPTIONS' });
    return [reply.status, reply.headers.get('x-shape')];
  };
  const bodied = (id: string, paths: object) => ({
    Api: api({ Mode: 'overwrite', Body: definition(paths, { 'x-amazon-apigateway-gateway-responses': notFound }) }),
    ...deployed(id, []),
  });

  it('takes the place of its resources and methods in one deployment, at the same address', async () => {
    const old = {
      Api: api({}),
      Items: resource({ 'Fn::GetAtt': ['Api', 'RootResourceId'] }, 'items'),
      Item: resource({ Ref: 'Items' }, '{id}'),
      Gone: resource({ 'Fn::GetAtt': ['Api', 'RootResourceId'] }, 'gone'),
      ItemsMethod: oldMethod('Items', '201'),
      ItemMethod: oldMethod('Item', '202'),
      GoneMethod: oldMethod('Gone', '203'),
      NotFound: gatewayResponse('418'),
      ...deployed('First', ['ItemsMethod', 'ItemMethod', 'GoneMethod', 'NotFound']),
    };
    const outputs = { Id: { Value: { Ref: 'Api' } } };
    const before = await deployment.deploy({ App: { Resources: old, Outputs: outputs } });
    expect(await Promise.all(['/items', '/items/7', '/gone', '/none'].map(ask))).toEqual([
      ...[
        [201, null],
        [202, null],
        [203, null],
        [418, null],
      ],
    ]);

    const paths = { '/items': { options: mock('211') }, '/items/{id}': { options: mock('212') } };
    const after = await deployment.deploy({ App: { Resources: bodied('Second', paths), Outputs: outputs } });
    expect(after.outputs).toEqual(before.outputs);
    const answers = [
      [211, 'new'],
      [212, 'new'],
      [404, null],
    ];
    expect(await Promise.all(['/items', '/items/7', '/gone'].map(ask))).toEqual(answers);

    await deployment.restart();
    expect(await Promise.all(['/items', '/items/7', '/gone'].map(ask))).toEqual(answers);
    // What ended with the old shape is not missing from what is deployed later.
    await deployment.deploy({
      App: { Resources: bodied('Third', { ...paths, '/more': { options: mock('213') } }), Outputs: outputs },
    });
    expect(await Promise.all(['/items/7', '/more', '/none'].map(ask))).toEqual([
      [212, 'new'],
      [213, 'new'],
      [404, null],
    ]);
  });

  it('is served as deployed until the next deployment, and as before if a definition is invalid', async () => {
    await deployment.deploy({ App: { Resources: bodied('First', { '/items': { options: mock('211') } }) } });
    await deployment.deploy({ App: { Resources: bodied('First', { '/others': { options: mock('212') } }) } });
    expect(await Promise.all(['/items', '/others'].map(ask))).toEqual([
      [211, 'new'],
      [404, null],
    ]);
    const twice = { '/items/{id}': { options: mock('211') }, '/items/{name}': { options: mock('212') } };
    await expect(deployment.deploy({ App: { Resources: bodied('Second', twice) } })).rejects.toThrow(
      /sibling \(\{id\}\) of this resource already has a variable path part/,
    );
    await deployment.deploy({ App: { Resources: bodied('Second', { '/others': { options: mock('212') } }) } });
    expect(await ask('/others')).toEqual([212, 'new']);
  });

  it('replaces all of the API, and says so', async () => {
    const Resources = { Api: api({ Body: definition({ '/items': { options: mock('211') } }) }) };
    await expect(deployment.deploy({ App: { Resources } })).rejects.toThrow(/needs the Mode overwrite/);
  });
});

describe('the document', () => {
  const lambda = (more: object = {}) => ({
    'x-amazon-apigateway-integration': { type: 'aws_proxy', httpMethod: 'POST', uri: FUNCTION, ...more },
  });

  it('declares methods of functions', () => {
    const any = { '/items/{proxy+}': { 'x-amazon-apigateway-any-method': lambda() }, '/': { get: lambda() } };
    const more = {
      'x-amazon-apigateway-binary-media-types': ['*/*'],
      'x-amazon-apigateway-minimum-compression-size': 0,
    };
    const integration = { type: 'AWS_PROXY', streaming: false, timeoutMs: 29_000 };
    expect(readApiDefinition(definition(any, more))).toMatchObject({
      binaryMediaTypes: ['*/*'],
      minimumCompressionSize: 0,
      methods: [
        { path: '/items/{proxy+}', httpMethod: 'ANY', integration },
        { path: '/', httpMethod: 'GET', integration },
      ],
    });
  });

  it.each([
    ['another version', { ...definition({}), openapi: '2.0' }, /\/openapi: only OpenAPI 3.0/],
    ['an unknown member', definition({}, { servers: [] }), /\/servers: is not supported/],
    [
      'an unknown extension',
      definition({ '/a': { get: { ...lambda(), 'x-amazon-apigateway-auth': {} } } }),
      /auth: is/,
    ],
    ['a path without a slash', definition({ items: { get: lambda() } }), /\/paths\/items: a path starts with a slash/],
    ['a path that ends with one', definition({ '/a/': { get: lambda() } }), /\/paths\/~1a~1: a path starts/],
    ['a method without integration', definition({ '/a': { get: {} } }), /~1a\/get: the method has no x-amazon/],
    ['another integration', definition({ '/a': { get: lambda({ type: 'http' }) } }), /only aws_proxy and mock/],
    ['a call by GET', definition({ '/a': { get: lambda({ httpMethod: 'GET' }) } }), /must be POST for a function/],
    ['a mock besides OPTIONS', definition({ '/a': { get: mock('200') } }), /only supported for OPTIONS/],
    [
      'a transfer that does not fit',
      definition({ '/a': { get: lambda({ responseTransferMode: 'STREAM' }) } }),
      /transfer mode/,
    ],
    [
      'a timeout that is too long',
      definition({ '/a': { get: lambda({ timeoutInMillis: 30_000 }) } }),
      /Timeout should/,
    ],
    [
      'a variable of gateway responses that is unknown',
      definition(
        {},
        {
          'x-amazon-apigateway-gateway-responses': {
            DEFAULT_4XX: { responseTemplates: { 'application/json': '$context.nothing' } },
          },
        },
      ),
      /DEFAULT_4XX: the local cloud does not support \$context.nothing/,
    ],
  ])('is refused with %s, and the place is named', (_what, document, message) => {
    expect(() => readApiDefinition(document)).toThrow(message);
  });
});
