import { unknownVariables } from './context-variables.ts';
import { badRequest } from './errors.ts';
import { lambdaIntegration } from './lambda-integration.ts';
import type { ApiDefinition, GatewayResponse, Integration } from './model.ts';

const METHODS: Record<string, string> = {
  ...Object.fromEntries(
    ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'].map((name) => [name, name.toUpperCase()]),
  ),
  'x-amazon-apigateway-any-method': 'ANY',
};
const PATH = /^\/([^/]+(\/[^/]+)*)?$/;

/**
 * Reads an OpenAPI 3 document with the extensions of API Gateway. AWS ignores much of what it does not know; here each
 * member must be known, so that what works here works there. Throws `BadRequestException` with the place and the cause.
 */
export function readApiDefinition(document: unknown): ApiDefinition {
  const root = members(document, '', [
    'openapi',
    'info',
    'paths',
    'x-amazon-apigateway-binary-media-types',
    'x-amazon-apigateway-minimum-compression-size',
    'x-amazon-apigateway-gateway-responses',
  ]);
  if (typeof root.openapi !== 'string' || !root.openapi.startsWith('3.0.')) {
    throw invalid('/openapi', 'only OpenAPI 3.0 is supported');
  }
  const info = members(root.info, '/info', ['title', 'version', 'description']);
  const size = root['x-amazon-apigateway-minimum-compression-size'];
  if (size !== undefined && !Number.isInteger(size)) {
    throw invalid('/x-amazon-apigateway-minimum-compression-size', 'must be a number of bytes');
  }
  return {
    ...(typeof info.description === 'string' && { description: info.description }),
    ...(typeof size === 'number' && { minimumCompressionSize: size }),
    binaryMediaTypes: texts(root['x-amazon-apigateway-binary-media-types'], '/x-amazon-apigateway-binary-media-types'),
    responses: Object.entries(map(root['x-amazon-apigateway-gateway-responses'] ?? {}, `/${RESPONSES}`)).map(
      ([type, value]) => gatewayResponse(type, value),
    ),
    methods: Object.entries(map(root.paths, '/paths')).flatMap(([path, item]) => methodsAt(path, item)),
  };
}

const RESPONSES = 'x-amazon-apigateway-gateway-responses';

function methodsAt(path: string, item: unknown): ApiDefinition['methods'] {
  const at = `/paths/${escaped(path)}`;
  if (!PATH.test(path)) throw invalid(at, 'a path starts with a slash, and does not end with one');
  return Object.entries(members(item, at, Object.keys(METHODS))).map(([name, operation]) => ({
    path,
    httpMethod: METHODS[name] as string,
    integration: integrationOf(operation, `${at}/${name}`),
  }));
}

function integrationOf(operation: unknown, at: string): Integration {
  const name = 'x-amazon-apigateway-integration';
  const declared = members(operation, at, ['parameters', 'responses', name]);
  if (declared[name] === undefined) throw invalid(at, `the method has no ${name}`);
  const place = `${at}/${name}`;
  const integration = members(declared[name], place, [
    ...['type', 'httpMethod', 'uri', 'responseTransferMode', 'timeoutInMillis', 'passthroughBehavior'],
    ...['requestTemplates', 'responses'],
  ]);
  if (integration.type === 'mock') return mock(integration, at, place);
  if (integration.type !== 'aws_proxy') throw invalid(`${place}/type`, 'only aws_proxy and mock are supported');
  // A Lambda function is always called by POST.
  if (integration.httpMethod !== 'POST') throw invalid(`${place}/httpMethod`, 'must be POST for a function');
  const { uri, responseTransferMode: mode = 'BUFFERED', timeoutInMillis: timeoutMs } = integration;
  if (mode !== 'BUFFERED' && mode !== 'STREAM') {
    throw invalid(`${place}/responseTransferMode`, 'must be BUFFERED or STREAM');
  }
  return lambdaIntegration({
    uri: typeof uri === 'string' ? uri : undefined,
    streaming: mode === 'STREAM',
    timeoutMs: timeoutMs as number | undefined,
  });
}

function mock(integration: Record<string, unknown>, at: string, place: string): Integration {
  if (!at.endsWith('/options')) throw invalid(place, 'mock integrations are only supported for OPTIONS');
  const answers = members(integration.responses, `${place}/responses`, ['default']);
  const answer = members(answers.default, `${place}/responses/default`, ['statusCode', 'responseParameters']);
  return {
    type: 'MOCK',
    statusCode: Number(answer.statusCode),
    headers: constantHeaders(answer.responseParameters, 'method.response.header.', `${place}/responses/default`),
  };
}

function gatewayResponse(responseType: string, value: unknown): GatewayResponse {
  const at = `/${RESPONSES}/${responseType}`;
  const { statusCode, ...declared } = members(value, at, ['statusCode', 'responseParameters', 'responseTemplates']);
  const templates = map(declared.responseTemplates ?? {}, `${at}/responseTemplates`);
  for (const [type, template] of Object.entries(templates)) {
    if (typeof template !== 'string') throw invalid(`${at}/responseTemplates/${escaped(type)}`, 'must be a text');
    const unknown = unknownVariables(template);
    if (unknown.length > 0) throw invalid(at, `the local cloud does not support ${unknown.join(', ')}`);
  }
  return {
    responseType,
    ...(statusCode !== undefined && { statusCode: Number(statusCode) }),
    headers: constantHeaders(declared.responseParameters, 'gatewayresponse.header.', at),
    templates: templates as Record<string, string>,
  };
}

/** Constant values (`'…'`) by header name; AWS would compute others. */
function constantHeaders(value: unknown, prefix: string, at: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(map(value ?? {}, `${at}/responseParameters`)).map(([name, text]) => {
      const [, constant] = /^'(.*)'$/s.exec(String(text)) ?? [];
      if (!name.startsWith(prefix) || constant === undefined) {
        throw invalid(`${at}/responseParameters/${escaped(name)}`, 'only constant headers are supported');
      }
      return [name.slice(prefix.length), constant];
    }),
  );
}

function map(value: unknown, at: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalid(at, 'must be an object');
}

function members(value: unknown, at: string, known: readonly string[]): Record<string, unknown> {
  const found = map(value, at);
  const unknown = Object.keys(found).find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalid(`${at}/${escaped(unknown)}`, 'is not supported');
  return found;
}

function texts(value: unknown, at: string): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw invalid(at, 'must be a list of texts');
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
const invalid = (at: string, message: string) => badRequest(`Unable to import the API: ${at || '/'}: ${message}`);
