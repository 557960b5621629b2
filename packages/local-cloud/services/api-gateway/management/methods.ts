import { unsupported } from '../../../core/aws-error.ts';
import type { RestRoute } from '../../../core/rest-json.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { lambdaIntegration, lambdaUri } from '../lambda-integration.ts';
import type { Integration, Method } from '../model.ts';
import type { ManagementDeps } from './deps.ts';

interface Address {
  restApiId: string;
  resourceId: string;
  /** The path parameter is `methodName`, because PutIntegration has an `httpMethod` in its body. */
  methodName: string;
}

interface MethodInput extends Address {
  authorizationType?: string;
  apiKeyRequired?: boolean;
}

interface IntegrationInput extends Address {
  type?: string;
  httpMethod?: string;
  uri?: string;
  timeoutInMillis?: number;
  responseTransferMode?: string;
}

const METHOD = '/restapis/{restApiId}/resources/{resourceId}/methods/{methodName}';
const INTEGRATION = `${METHOD}/integration`;
const HTTP_METHODS = ['ANY', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
const ADDRESS = ['restApiId', 'resourceId', 'methodName'];

/** PutMethod, GetMethod and DeleteMethod; PutIntegration, GetIntegration and DeleteIntegration. */
export function methodRoutes({ context: { region }, control }: ManagementDeps): RestRoute[] {
  const find = ({ restApiId, resourceId, methodName }: Address): Method | undefined => {
    control.api(restApiId);
    const isWanted = (other: Method) => other.resourceId === resourceId && other.httpMethod === methodName;
    return control.methods(restApiId).find(isWanted);
  };
  const method = (address: Address): Method => {
    const found = find(address);
    if (!found) throw notFound('Invalid Method identifier specified');
    return found;
  };
  const integration = (address: Address): Integration => {
    const found = method(address).integration;
    if (!found) throw notFound('Invalid Integration identifier specified');
    return found;
  };
  const resource = ({ restApiId }: Address) => restApiId;
  const on = (path: string, verb: 'GET' | 'DELETE') => ({ path, method: verb, members: ADDRESS, resource });
  return [
    {
      operation: 'PutMethod',
      method: 'PUT',
      path: METHOD,
      status: 201,
      members: [...ADDRESS, 'authorizationType', 'apiKeyRequired'],
      resource,
      run(input: MethodInput) {
        const { restApiId, resourceId, methodName, authorizationType, apiKeyRequired } = input;
        if (!HTTP_METHODS.includes(methodName)) throw badRequest('Invalid HTTP method specified');
        if (authorizationType === undefined) throw badRequest('Invalid authorization type specified');
        if (authorizationType !== 'NONE') {
          throw unsupported('apigateway', `the authorization type ${authorizationType} of PutMethod`);
        }
        if (apiKeyRequired) throw unsupported('apigateway', 'the parameter apiKeyRequired of PutMethod');
        if (find(input)) throw conflict('Method already exists for this resource');
        control.putMethod(restApiId, { resourceId, httpMethod: methodName });
        return showMethod(region, method(input));
      },
    },
    { operation: 'GetMethod', ...on(METHOD, 'GET'), run: (input: Address) => showMethod(region, method(input)) },
    {
      operation: 'DeleteMethod',
      ...on(METHOD, 'DELETE'),
      status: 204,
      run: (input: Address) => control.deleteMethod(input.restApiId, method(input)),
    },
    {
      operation: 'PutIntegration',
      method: 'PUT',
      path: INTEGRATION,
      status: 201,
      members: [...ADDRESS, 'type', 'httpMethod', 'uri', 'timeoutInMillis', 'responseTransferMode'],
      resource,
      run(input: IntegrationInput) {
        control.putMethod(input.restApiId, { ...method(input), integration: readIntegration(input) });
        return showIntegration(region, integration(input));
      },
    },
    {
      operation: 'GetIntegration',
      ...on(INTEGRATION, 'GET'),
      run: (input: Address) => showIntegration(region, integration(input)),
    },
    {
      operation: 'DeleteIntegration',
      ...on(INTEGRATION, 'DELETE'),
      status: 204,
      run(input: Address) {
        integration(input);
        const { integration: _gone, ...rest } = method(input);
        control.putMethod(input.restApiId, rest);
      },
    },
  ];
}

function readIntegration({ type, httpMethod, uri, timeoutInMillis, responseTransferMode }: IntegrationInput) {
  if (type !== 'AWS_PROXY') throw unsupported('apigateway', `the integration type ${type} of PutIntegration`);
  if (httpMethod !== 'POST') throw badRequest('Integration HTTP method must be POST: functions are called with it');
  const mode = responseTransferMode ?? 'BUFFERED';
  if (mode !== 'BUFFERED' && mode !== 'STREAM') throw badRequest('Invalid response transfer mode specified');
  return lambdaIntegration({ uri, streaming: mode === 'STREAM', timeoutMs: timeoutInMillis });
}

export function showMethod(region: string, { httpMethod, integration }: Method): object {
  return {
    httpMethod,
    authorizationType: 'NONE',
    apiKeyRequired: false,
    methodIntegration: integration && showIntegration(region, integration),
  };
}

function showIntegration(region: string, integration: Integration): object {
  if (integration.type === 'MOCK') return { type: 'MOCK', passthroughBehavior: 'WHEN_NO_MATCH' };
  return {
    type: 'AWS_PROXY',
    httpMethod: 'POST',
    uri: lambdaUri(region, integration),
    passthroughBehavior: 'WHEN_NO_MATCH',
    timeoutInMillis: integration.timeoutMs,
    responseTransferMode: integration.streaming ? 'STREAM' : 'BUFFERED',
  };
}
