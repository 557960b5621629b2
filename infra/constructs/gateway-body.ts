import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { PREFLIGHT_POLICY } from '../../shared/platform/http/cors.ts';
import type { GatewayPath } from './gateway-paths.ts';
import { GATEWAY_RESPONSES } from './gateway-responses.ts';

const CDK = createRequire(import.meta.url)('aws-cdk-lib/package.json') as { version: string };

/** What the API has as properties too: an import and a change of the properties may come in either order. */
export interface GatewaySettings {
  description: string;
  binaryMediaTypes: string[];
  minimumCompressionSize: number;
}

/**
 * Another for every change of what a deployment is named after, the CDK included: a deployment copies the definition,
 * so each comes with an import of it.
 */
const versionOf = (settings: GatewaySettings): string =>
  createHash('sha256')
    .update(JSON.stringify([settings, CDK.version]))
    .digest('hex')
    .slice(0, 16);

/**
 * The gateway as one OpenAPI document with the extensions of API Gateway, so that a path costs no resource of the
 * template. An import replaces the whole definition of the API, so everything that it consists of stands here.
 */
export function gatewayBody(
  scope: Construct,
  settings: GatewaySettings,
  paths: readonly GatewayPath[],
  functionOf: (group: string) => IFunction,
) {
  return {
    openapi: '3.0.1',
    info: {
      title: `${Stack.of(scope).stackName}-api`,
      description: settings.description,
      version: versionOf(settings),
    },
    'x-amazon-apigateway-binary-media-types': settings.binaryMediaTypes,
    'x-amazon-apigateway-minimum-compression-size': settings.minimumCompressionSize,
    'x-amazon-apigateway-gateway-responses': GATEWAY_RESPONSES,
    paths: Object.fromEntries(
      paths.map(({ path, group, methods }) => {
        const target = functionOf(group.name);
        if (!methods) return [path, { 'x-amazon-apigateway-any-method': operation(path, buffered(scope, target)) }];
        const integration = streamed(scope, target, group.resources.timeoutSeconds ?? 29);
        const operations = methods.map((method) => [method.toLowerCase(), operation(path, integration)]);
        // The other functions answer preflight requests themselves; this one serves its routes only.
        return [path, { ...Object.fromEntries(operations), options: preflight(path) }];
      }),
    ),
  };
}

function operation(path: string, integration: object): object {
  const parameters = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return { ...(parameters.length > 0 && { parameters }), 'x-amazon-apigateway-integration': integration };
}

function buffered(scope: Construct, target: IFunction): object {
  const uri = functionUri(scope, '2015-03-31', target, 'invocations');
  return { type: 'aws_proxy', httpMethod: 'POST', uri };
}

function streamed(scope: Construct, target: IFunction, timeoutSeconds: number): object {
  const uri = functionUri(scope, '2021-11-15', target, 'response-streaming-invocations');
  return {
    ...{ type: 'aws_proxy', httpMethod: 'POST', uri },
    responseTransferMode: 'STREAM',
    timeoutInMillis: timeoutSeconds * 1000,
  };
}

function functionUri(scope: Construct, version: string, target: IFunction, action: string): string {
  const { partition, region } = Stack.of(scope);
  return `arn:${partition}:apigateway:${region}:lambda:path/${version}/functions/${target.functionArn}/${action}`;
}

function preflight(path: string): object {
  const headers = {
    'Access-Control-Allow-Headers': PREFLIGHT_POLICY.headers.join(','),
    'Access-Control-Allow-Methods': PREFLIGHT_POLICY.methods.join(','),
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Max-Age': String(PREFLIGHT_POLICY.maxAgeSeconds),
  };
  const of = <T>(value: (text: string) => T, prefix = '') =>
    Object.fromEntries(Object.entries(headers).map(([name, text]) => [`${prefix}${name}`, value(text)]));
  return {
    ...operation(path, {
      type: 'mock',
      requestTemplates: { 'application/json': '{ "statusCode": 204 }' },
      responses: {
        default: { statusCode: '204', responseParameters: of((text) => `'${text}'`, 'method.response.header.') },
      },
    }),
    responses: { 204: { description: 'May be called', headers: of(() => ({ schema: { type: 'string' } })) } },
  };
}
