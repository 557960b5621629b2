import { Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  EndpointType,
  LogGroupLogDestination,
  ResponseType,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { GROUPS } from '../../functions/api.ts';
import { BundledFunction } from '../constructs/bundled-function.ts';
import { EndpointGroup } from '../constructs/endpoint-group.ts';
import { allow, grantTable } from '../constructs/grants.ts';
import type { DataStack } from './data-stack.ts';

export interface RuntimeStackProps extends StackProps {
  data: DataStack;
  /** Name of the SSM parameter (SecureString) that holds the deployment's master secret. */
  masterSecretParameter: string;
  /** Private address ranges that outbound connections may reach; none on AWS unless the operator says so. */
  allowedPrivateCidrs: string;
}

/** Everything that runs: the API, its functions, queues, machines and the tick. It holds no data of its own. */
export class RuntimeStack extends Stack {
  readonly api: RestApi;
  readonly groups = new Map<string, EndpointGroup>();
  readonly #props: RuntimeStackProps;

  constructor(scope: Construct, id: string, props: RuntimeStackProps) {
    super(scope, id, props);
    this.#props = props;
    this.api = this.#restApi();
    for (const group of GROUPS) this.#addGroup(group.name, group.prefixes);
    this.#addOwnerFunction();
  }

  /** For operators only: no event calls it, and whoever may invoke it may create a company. */
  #addOwnerFunction(): void {
    const createOwner = new BundledFunction(this, 'CreateOwner', {
      name: 'create-owner',
      description: 'Creates a company with its first workspace and owner; called by the operator.',
      memoryMb: 512,
      timeout: Duration.seconds(29),
      environment: this.#environment(),
    });
    grantTable(createOwner, this.#props.data.table, 'readWrite');
  }

  #restApi(): RestApi {
    const api = new RestApi(this, 'Api', {
      restApiName: `${this.stackName}-api`,
      description: 'Business analytics as a JSON REST API.',
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: true,
      deployOptions: {
        // The stage is part of the default address, which therefore reads …/api/pipelines.
        stageName: 'api',
        tracingEnabled: true,
        metricsEnabled: true,
        throttlingRateLimit: 1000,
        throttlingBurstLimit: 500,
        // Without the query, which may carry the token of a webhook trigger.
        accessLogDestination: new LogGroupLogDestination(
          new LogGroup(this, 'AccessLogs', {
            retention: RetentionDays.ONE_MONTH,
            removalPolicy: RemovalPolicy.DESTROY,
          }),
        ),
        accessLogFormat: AccessLogFormat.custom(
          JSON.stringify({
            requestId: '$context.requestId',
            ip: '$context.identity.sourceIp',
            at: '$context.requestTimeEpoch',
            method: '$context.httpMethod',
            path: '$context.path',
            status: '$context.status',
            bytes: '$context.responseLength',
            ms: '$context.responseLatency',
          }),
        ),
      },
    });
    for (const [type, status, code, title] of GATEWAY_PROBLEMS) {
      api.addGatewayResponse(`Gateway${type.responseType}`, {
        type,
        statusCode: String(status),
        responseHeaders: { 'Content-Type': "'application/problem+json'", 'Access-Control-Allow-Origin': "'*'" },
        templates: { 'application/json': gatewayProblem(status, code, title) },
      });
    }
    return api;
  }

  #addGroup(name: string, prefixes: readonly string[]): void {
    const group = new EndpointGroup(this, pascalCase(name), {
      api: this.api,
      name,
      prefixes,
      environment: this.#environment(),
    });
    grantTable(group.function, this.#props.data.table, 'readWrite');
    this.#grantMasterSecret(group.function);
    this.groups.set(name, group);
  }

  #environment(): Record<string, string> {
    return {
      TABLE_NAME: this.#props.data.table.tableName,
      MASTER_SECRET_PARAMETER: this.#props.masterSecretParameter,
    };
  }

  #grantMasterSecret(grantee: IGrantable): void {
    const resourceName = this.#props.masterSecretParameter.slice(1);
    allow(grantee, ['ssm:GetParameter'], [this.formatArn({ service: 'ssm', resource: 'parameter', resourceName })]);
  }
}

/** What the gateway answers on its own, in the same form as the functions' problems. */
const GATEWAY_PROBLEMS = [
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 404, 'ROUTE_NOT_FOUND', 'There is no such endpoint.'],
  [ResponseType.REQUEST_TOO_LARGE, 413, 'BODY_TOO_LARGE', 'The request body is larger than 1 MiB.'],
  [ResponseType.THROTTLED, 429, 'SERVICE_BUSY', 'Too many requests; wait before you send another.'],
  [ResponseType.INTEGRATION_TIMEOUT, 504, 'INTERNAL', 'The service took too long to answer.'],
  [ResponseType.DEFAULT_4XX, 400, 'VALIDATION_FAILED', 'The request could not be read.'],
  [ResponseType.DEFAULT_5XX, 500, 'INTERNAL', 'Something went wrong on our side.'],
] as const;

function gatewayProblem(status: number, code: string, title: string): string {
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

function pascalCase(name: string): string {
  return name.replaceAll(/(^|-)([a-z])/g, (_all, _dash, letter: string) => letter.toUpperCase());
}
