import { RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  EndpointType,
  LogGroupLogDestination,
  ResponseType,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import type { Construct } from 'constructs';
import { ERRORS } from '../../shared/platform/errors/catalogue.ts';
import { BINARY_TYPES } from '../../shared/platform/http/content.ts';
import { SECURITY_HEADERS } from '../../shared/platform/http/security-headers.ts';

/** The gateway in front of the endpoint groups: a REST API, because only those can stream the events of a run. */
export class PublicApi extends RestApi {
  constructor(scope: Construct, id: string) {
    const accessLogs = new LogGroup(scope, `${id}AccessLogs`, {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    super(scope, id, {
      restApiName: `${Stack.of(scope).stackName}-api`,
      description: 'Business analytics as a JSON REST API.',
      endpointTypes: [EndpointType.REGIONAL],
      binaryMediaTypes: [...BINARY_TYPES],
      minCompressionSize: Size.kibibytes(1),
      cloudWatchRole: true,
      deployOptions: {
        // The stage is part of the default address, as in …/api/pipelines.
        stageName: 'api',
        tracingEnabled: true,
        // Metrics of each method would cost up to $55 a month; alarms and dashboard use those of the API, which are free.
        metricsEnabled: false,
        throttlingRateLimit: 1000,
        throttlingBurstLimit: 500,
        accessLogDestination: new LogGroupLogDestination(accessLogs),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
    this.#sampleTraces(`${Stack.of(scope).stackName}-api`);
    for (const [type, status, code, title] of PROBLEMS) {
      this.addGatewayResponse(`Gateway${type.responseType}`, {
        type,
        statusCode: String(status),
        responseHeaders: {
          ...PROBLEM_HEADERS,
          ...(code === 'SERVICE_BUSY' && { 'retry-after': "'1'", 'access-control-expose-headers': "'retry-after'" }),
        },
        templates: { 'application/json': problem(status, code, title) },
      });
    }
  }

  #sampleTraces(name: string): void {
    new CfnSamplingRule(this, 'Traces', {
      samplingRule: {
        ruleName: Stack.of(this).stackName,
        version: 1,
        priority: 1000,
        fixedRate: TRACED,
        reservoirSize: 0,
        serviceName: `${name}/*`,
        serviceType: 'AWS::ApiGateway::Stage',
        host: '*',
        httpMethod: '*',
        urlPath: '*',
        resourceArn: '*',
      },
    });
  }
}

/** One call in twenty is traced, with what it causes. The account's default rule would also trace the first call of every second. */
const TRACED = 0.05;

/** Without the content security policy: a mapping encloses its value in the quotes that the policy itself contains. */
const { 'content-security-policy': _policy, ...SECURITY } = SECURITY_HEADERS;
const PROBLEM_HEADERS = Object.fromEntries(
  Object.entries({ 'content-type': 'application/problem+json', 'access-control-allow-origin': '*', ...SECURITY }).map(
    ([name, value]) => [name, `'${value}'`],
  ),
);

/** Without path and query string, which may contain the token of a link or of a webhook trigger. The log of the function has the operation. */
const ACCESS_LOG = {
  requestId: '$context.requestId',
  ip: '$context.identity.sourceIp',
  at: '$context.requestTimeEpoch',
  method: '$context.httpMethod',
  resource: '$context.resourcePath',
  status: '$context.status',
  bytes: '$context.responseLength',
  ms: '$context.responseLatency',
};

/** The gateway's own error replies, in the format of the functions' problem documents. */
const PROBLEMS = [
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 404, 'ROUTE_NOT_FOUND', ERRORS.ROUTE_NOT_FOUND[1]],
  [ResponseType.REQUEST_TOO_LARGE, 413, 'BODY_TOO_LARGE', ERRORS.BODY_TOO_LARGE[1]],
  [ResponseType.THROTTLED, 429, 'SERVICE_BUSY', 'There were too many requests. Wait before you send another.'],
  // A throttled function. Sources disagree on the type that the gateway gives it, so both types have the same reply.
  [ResponseType.INTEGRATION_FAILURE, 503, 'SERVICE_BUSY', ERRORS.SERVICE_BUSY[1]],
  [ResponseType.API_CONFIGURATION_ERROR, 503, 'SERVICE_BUSY', ERRORS.SERVICE_BUSY[1]],
  [ResponseType.INTEGRATION_TIMEOUT, 504, 'INTERNAL', 'The service took too long to answer.'],
  [ResponseType.DEFAULT_4XX, 400, 'VALIDATION_FAILED', 'The request could not be parsed.'],
  [ResponseType.DEFAULT_5XX, 500, 'INTERNAL', 'Something went wrong on our side.'],
] as const;

function problem(status: number, code: string, title: string): string {
  return JSON.stringify({
    type: `urn:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title,
    status,
    detail: title,
    instance: '$context.path',
    code,
    requestId: '$context.requestId',
    errors: [],
  });
}
