import { unknownVariables } from '../../services/api-gateway/context-variables.ts';
import { readApiDefinition } from '../../services/api-gateway/definition.ts';
import { lambdaIntegration } from '../../services/api-gateway/lambda-integration.ts';
import type { Integration } from '../../services/api-gateway/model.ts';
import { stableId } from '../names.ts';
import { recorded, resourceType } from '../resource-type.ts';
import { choice, document, flag, type Infer, list, map, number, object, required, tags, text } from '../shapes.ts';

export const restApi = resourceType('AWS::ApiGateway::RestApi', {
  properties: {
    ApiKeySourceType: choice('HEADER'),
    BinaryMediaTypes: list(text),
    // An OpenAPI document, which replaces everything below the API.
    Body: document,
    Description: text,
    EndpointConfiguration: object({ IpAddressType: text, Types: list(choice('REGIONAL', 'EDGE')) }),
    MinimumCompressionSize: number,
    Mode: choice('overwrite'),
    Name: text,
    Tags: tags,
  },
  attributes: ['RestApiId', 'RootResourceId'],
  async provision({ stack, logicalId, name, properties, context }) {
    const id = idOf(stack, logicalId, 10);
    const rootResourceId = idOf(stack, `${logicalId}/`, 10);
    const definition = properties.Body === undefined ? undefined : readApiDefinition(properties.Body);
    if (definition && properties.Mode !== 'overwrite') {
      throw new Error('a Body needs the Mode overwrite: a merged definition would keep paths that are gone from it');
    }
    const description = properties.Description ?? definition?.description;
    const minimumCompressionSize = properties.MinimumCompressionSize ?? definition?.minimumCompressionSize;
    const [endpointType] = properties.EndpointConfiguration?.Types ?? [];
    context.apiGateway.putRestApi({
      ...{ id, name: properties.Name ?? name, rootResourceId },
      binaryMediaTypes: properties.BinaryMediaTypes ?? definition?.binaryMediaTypes ?? [],
      ...(description !== undefined && { description }),
      ...(endpointType !== undefined && { endpointType }),
      ...(minimumCompressionSize !== undefined && { minimumCompressionSize }),
    });
    if (definition) {
      context.apiGateway.replaceDefinition(id, definition, (path) => idOf(stack, `${logicalId}${path}`, 6));
    }
    return { ref: id, attributes: { RestApiId: id, RootResourceId: rootResourceId } };
  },
  async remove({ ref, context }) {
    context.apiGateway.deleteRestApi(ref);
  },
});

export const resource = resourceType('AWS::ApiGateway::Resource', {
  properties: { ParentId: required(text), PathPart: required(text), RestApiId: required(text) },
  attributes: ['ResourceId'],
  fixed: ['ParentId', 'PathPart', 'RestApiId'],
  async provision({ stack, logicalId, properties, context }) {
    const id = idOf(stack, logicalId, 6);
    const { ParentId: parentId, PathPart: pathPart } = properties;
    context.apiGateway.putResource(properties.RestApiId, { id, parentId, pathPart });
    return { ref: id, attributes: { ResourceId: id } };
  },
  async remove({ ref, properties, context }) {
    context.apiGateway.deleteResource(properties.RestApiId, ref);
  },
});

const integration = object({
  ConnectionType: choice('INTERNET'),
  IntegrationHttpMethod: text,
  IntegrationResponses: list(
    object({
      ResponseParameters: map(text),
      ResponseTemplates: map(choice('')),
      SelectionPattern: choice(''),
      StatusCode: required(text),
    }),
  ),
  PassthroughBehavior: choice('WHEN_NO_MATCH', 'WHEN_NO_TEMPLATES', 'NEVER'),
  RequestTemplates: map(text),
  ResponseTransferMode: choice('BUFFERED', 'STREAM'),
  TimeoutInMillis: number,
  Type: required(choice('AWS_PROXY', 'MOCK')),
  Uri: text,
});

export const method = resourceType('AWS::ApiGateway::Method', {
  properties: {
    ApiKeyRequired: choice('false'),
    AuthorizationType: required(choice('NONE')),
    HttpMethod: required(text),
    Integration: required(integration),
    MethodResponses: list(
      object({ ResponseModels: map(text), ResponseParameters: map(flag), StatusCode: required(text) }),
    ),
    OperationName: text,
    ResourceId: required(text),
    RestApiId: required(text),
  },
  fixed: ['HttpMethod', 'ResourceId', 'RestApiId'],
  async provision({ stack, logicalId, properties, context }) {
    context.apiGateway.putMethod(properties.RestApiId, {
      resourceId: properties.ResourceId,
      httpMethod: properties.HttpMethod,
      integration: readIntegration(properties.HttpMethod, properties.Integration),
    });
    return { ref: idOf(stack, logicalId, 10) };
  },
  async remove({ properties: { RestApiId, ResourceId, HttpMethod }, context }) {
    context.apiGateway.deleteMethod(RestApiId, { resourceId: ResourceId, httpMethod: HttpMethod });
  },
});

function readIntegration(httpMethod: string, declared: Infer<typeof integration>): Integration {
  if (declared.Type === 'MOCK') {
    if (httpMethod !== 'OPTIONS') throw new Error('mock integrations are only supported for OPTIONS');
    const [answer] = declared.IntegrationResponses ?? [];
    if (!answer) throw new Error('a mock integration needs an integration response');
    return {
      type: 'MOCK',
      statusCode: Number(answer.StatusCode),
      headers: constants(answer.ResponseParameters, 'method.response.header.'),
    };
  }
  return lambdaIntegration({
    uri: declared.Uri,
    streaming: declared.ResponseTransferMode === 'STREAM',
    timeoutMs: declared.TimeoutInMillis,
  });
}

export const gatewayResponse = resourceType('AWS::ApiGateway::GatewayResponse', {
  properties: {
    ResponseParameters: map(text),
    ResponseTemplates: map(text),
    ResponseType: required(text),
    RestApiId: required(text),
    StatusCode: text,
  },
  attributes: ['Id'],
  fixed: ['ResponseType', 'RestApiId'],
  async provision({ stack, logicalId, properties, context }) {
    const templates = properties.ResponseTemplates ?? {};
    for (const template of Object.values(templates)) rejectUnknownVariables(template);
    context.apiGateway.putGatewayResponse(properties.RestApiId, {
      responseType: properties.ResponseType,
      ...(properties.StatusCode !== undefined && { statusCode: Number(properties.StatusCode) }),
      headers: constants(properties.ResponseParameters, 'gatewayresponse.header.'),
      templates,
    });
    const Id = idOf(stack, logicalId, 10);
    return { ref: Id, attributes: { Id } };
  },
  async remove({ properties, context }) {
    context.apiGateway.deleteGatewayResponse(properties.RestApiId, properties.ResponseType);
  },
});

export const deployment = resourceType('AWS::ApiGateway::Deployment', {
  properties: { Description: text, RestApiId: required(text) },
  attributes: ['DeploymentId'],
  fixed: ['RestApiId'],
  async provision({ stack, logicalId, properties, previous, context }) {
    const DeploymentId = idOf(stack, logicalId, 6);
    // A changed description needs no new deployment.
    const { RestApiId, Description: description } = properties;
    if (!previous) context.apiGateway.putDeployment(RestApiId, { id: DeploymentId, description });
    return { ref: DeploymentId, attributes: { DeploymentId } };
  },
  async remove({ ref, properties, context }) {
    context.apiGateway.deleteDeployment(properties.RestApiId, ref);
  },
});

export const stage = resourceType('AWS::ApiGateway::Stage', {
  properties: {
    AccessLogSetting: object({ DestinationArn: required(text), Format: required(text) }),
    DeploymentId: required(text),
    Description: text,
    // Throttling, metrics and traces exist only on AWS.
    MethodSettings: list(
      object({
        DataTraceEnabled: choice('false'),
        HttpMethod: text,
        LoggingLevel: choice('OFF', 'ERROR', 'INFO'),
        MetricsEnabled: flag,
        ResourcePath: text,
        ThrottlingBurstLimit: number,
        ThrottlingRateLimit: number,
      }),
    ),
    RestApiId: required(text),
    StageName: required(text),
    Tags: tags,
    TracingEnabled: flag,
    Variables: map(text),
  },
  fixed: ['RestApiId', 'StageName'],
  async provision({ properties, context }) {
    const { AccessLogSetting, StageName: name } = properties;
    if (AccessLogSetting) rejectUnknownVariables(AccessLogSetting.Format);
    context.apiGateway.putStage(properties.RestApiId, {
      name,
      deploymentId: properties.DeploymentId,
      variables: properties.Variables ?? {},
      ...(AccessLogSetting && {
        accessLog: { logGroup: logGroupOf(AccessLogSetting.DestinationArn), format: AccessLogSetting.Format },
      }),
    });
    return { ref: name };
  },
  async remove({ ref, properties, context }) {
    context.apiGateway.deleteStage(properties.RestApiId, ref);
  },
});

/** The account's role for writing logs; here the gateway needs none. */
export const account = recorded('AWS::ApiGateway::Account', { properties: { CloudWatchRoleArn: text } });

/** Constant values (`'…'`) by header name. Throws for values that AWS would compute. */
function constants(parameters: Record<string, string> = {}, prefix: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      const [, constant] = /^'(.*)'$/s.exec(value) ?? [];
      if (!name.startsWith(prefix) || constant === undefined) {
        throw new Error(`only constant headers are supported, not ${name}: ${value}`);
      }
      return [name.slice(prefix.length), constant];
    }),
  );
}

function rejectUnknownVariables(template: string): void {
  const unknown = unknownVariables(template);
  if (unknown.length > 0) throw new Error(`the local cloud does not support ${unknown.join(', ')}`);
}

function logGroupOf(arn: string): string {
  const [, name] = /^arn:aws:logs:[^:]+:\d+:log-group:([^:]+)/.exec(arn) ?? [];
  if (name === undefined) throw new Error(`access logs go to a log group, not to ${arn}`);
  return name;
}

/** Ids are derived from the place in the template, so that a repeated deployment finds its parts again. */
function idOf(stack: string, logicalId: string, length: number): string {
  return stableId(`${stack}/${logicalId}`, length);
}
