import { RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ApiDefinition,
  EndpointType,
  LogGroupLogDestination,
  RestApiMode,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import type { Construct } from 'constructs';
import type { Group } from '../../functions/group.ts';
import { BINARY_TYPES } from '../../shared/platform/http/content.ts';
import { type GatewaySettings, gatewayBody } from './gateway-body.ts';
import { gatewayPaths } from './gateway-paths.ts';

const SETTINGS: GatewaySettings = {
  description: 'Business analytics as a JSON REST API.',
  binaryMediaTypes: [...BINARY_TYPES],
  minimumCompressionSize: 1024,
};

export interface PublicApiProps {
  groups: readonly Group[];
  functionOf(group: string): IFunction;
}

/** The gateway in front of the endpoint groups: a REST API, because only those can stream the events of a run. */
export class PublicApi extends SpecRestApi {
  constructor(scope: Construct, id: string, { groups, functionOf }: PublicApiProps) {
    const accessLogs = new LogGroup(scope, `${id}AccessLogs`, {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    super(scope, id, {
      restApiName: `${Stack.of(scope).stackName}-api`,
      apiDefinition: ApiDefinition.fromInline(gatewayBody(scope, SETTINGS, gatewayPaths(groups), functionOf)),
      binaryMediaTypes: SETTINGS.binaryMediaTypes,
      minCompressionSize: Size.bytes(SETTINGS.minimumCompressionSize),
      // Otherwise a path that is no longer declared would stay.
      mode: RestApiMode.OVERWRITE,
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: true,
      deployOptions: {
        // The stage is part of the default address, as in …/api/pipelines.
        stageName: 'api',
        tracingEnabled: true,
        // Metrics of each method would cost up to $55 a month; alarms and dashboard use those of the API, which are
        // free.
        metricsEnabled: false,
        throttlingRateLimit: 1000,
        throttlingBurstLimit: 500,
        accessLogDestination: new LogGroupLogDestination(accessLogs),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
    this.#sampleTraces(`${Stack.of(scope).stackName}-api`);
    for (const { name } of groups) {
      const target = functionOf(name);
      target.addPermission('Gateway', {
        principal: new ServicePrincipal('apigateway.amazonaws.com'),
        sourceArn: this.arnForExecuteApi('*', '/*', '*'),
      });
      // A new group is called once it may be.
      const permission = target.node.tryFindChild('Gateway');
      if (permission) this.deploymentStage.node.addDependency(permission);
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

/**
 * One call in twenty is traced, with what it causes. The account's default rule would also trace the first call of
 * every second.
 */
const TRACED = 0.05;

/**
 * Without path and query string, which may contain the token of a link or of a webhook trigger. The log of the function
 * has the operation.
 */
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
