import { join } from 'node:path';
import { RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { FlowLogDestination, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import {
  Cluster,
  ContainerImage,
  ContainerInsights,
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  LogDrivers,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { allow, grantObjects, grantTable } from '../constructs/grants.ts';
import type { LambdaArchitecture } from '../settings.ts';
import type { DataStack } from './data-stack.ts';

export interface CaptureStackProps extends StackProps {
  data: DataStack;
  masterSecretParameter: string;
  allowedPrivateCidrs: string;
  architecture: LambdaArchitecture;
}

/**
 * Optional: one container that has sources send their changes as they are made, for streams with `capture: "streaming"`. It is the
 * only thing that runs all the time. It is reached by nobody and reaches its sources over the internet, without a NAT.
 */
export class CaptureStack extends Stack {
  constructor(scope: Construct, id: string, props: CaptureStackProps) {
    super(scope, id, props);
    const { data, architecture } = props;
    const isArm = architecture === 'arm64';
    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const vpc = new Vpc(this, 'Network', {
      maxAzs: 2,
      natGateways: 0,
      restrictDefaultSecurityGroup: false,
      subnetConfiguration: [{ name: 'Public', subnetType: SubnetType.PUBLIC }],
      flowLogs: { Rejected: { destination: FlowLogDestination.toCloudWatchLogs(logGroup) } },
    });
    const task = new FargateTaskDefinition(this, 'Task', {
      cpu: 256,
      memoryLimitMiB: 1024,
      runtimePlatform: {
        cpuArchitecture: isArm ? CpuArchitecture.ARM64 : CpuArchitecture.X86_64,
        operatingSystemFamily: OperatingSystemFamily.LINUX,
      },
    });
    task.addContainer('Capture', {
      image: ContainerImage.fromAsset(join(import.meta.dirname, '../../dist/stream-changes'), {
        platform: isArm ? Platform.LINUX_ARM64 : Platform.LINUX_AMD64,
      }),
      logging: LogDrivers.awsLogs({ logGroup, streamPrefix: 'capture' }),
      readonlyRootFilesystem: true,
      environment: {
        TABLE_NAME: data.table.tableName,
        DATA_BUCKET: data.bucket.bucketName,
        MASTER_SECRET_PARAMETER: props.masterSecretParameter,
        ALLOWED_PRIVATE_CIDRS: props.allowedPrivateCidrs,
      },
    });
    grantTable(task.taskRole, data.table, 'readWrite');
    grantObjects(task.taskRole, data.bucket, 'readWrite');
    const resourceName = props.masterSecretParameter.slice(1);
    allow(
      task.taskRole,
      ['ssm:GetParameter'],
      [this.formatArn({ service: 'ssm', resource: 'parameter', resourceName })],
    );
    new FargateService(this, 'Service', {
      cluster: new Cluster(this, 'Cluster', { vpc, containerInsightsV2: ContainerInsights.ENABLED }),
      taskDefinition: task,
      // Two would only wait for each other's leases.
      desiredCount: 1,
      minHealthyPercent: 0,
      maxHealthyPercent: 100,
      assignPublicIp: true,
      circuitBreaker: { rollback: true },
    });
  }
}
