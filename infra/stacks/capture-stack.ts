import { Stack, type StackProps } from 'aws-cdk-lib';
import { Cluster, ContainerInsights, FargateService } from 'aws-cdk-lib/aws-ecs';
import type { Construct } from 'constructs';
import { ContainerTask, containerLogs, containerNetwork } from '../constructs/container-task.ts';
import { allow, grantObjects, grantTable } from '../constructs/grants.ts';
import type { DataStack } from './data-stack.ts';

export interface CaptureStackProps extends StackProps {
  data: DataStack;
  masterSecretParameter: string;
  allowedPrivateCidrs: string;
}

/**
 * Optional: one container that has sources send their changes as they are made, for streams with `capture: "streaming"`. It is the
 * only thing that runs all the time. It is reached by nobody and reaches its sources over the internet, without a NAT.
 */
export class CaptureStack extends Stack {
  constructor(scope: Construct, id: string, props: CaptureStackProps) {
    super(scope, id, props);
    const { data } = props;
    const logGroup = containerLogs(this, 'Logs');
    const vpc = containerNetwork(this, 'Network', logGroup);
    const task = new ContainerTask(this, 'Task', {
      name: 'Capture',
      folder: 'stream-changes',
      cpu: 256,
      memoryMb: 1024,
      logGroup,
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
