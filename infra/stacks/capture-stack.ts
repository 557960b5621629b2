import { Stack, type StackProps } from 'aws-cdk-lib';
import { Cluster, ContainerInsights, FargateService } from 'aws-cdk-lib/aws-ecs';
import type { Construct } from 'constructs';
import { container } from '../../functions/pipelines/workers/stream-changes/resources.ts';
import { environmentOf, grantAccess } from '../constructs/access.ts';
import { ContainerTask, containerLogs, containerNetwork } from '../constructs/container-task.ts';
import { type DeploymentSettings, deploymentOf } from './deployment-settings.ts';

/**
 * Optional: one container that receives changes from sources as they happen, for streams with `capture: "streaming"`.
 * It is the only resource that runs all the time. It accepts no connections, and reaches its sources over the internet
 * without a NAT.
 */
export class CaptureStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps & DeploymentSettings) {
    super(scope, id, props);
    const deployment = deploymentOf(props);
    const logGroup = containerLogs(this, 'Logs');
    const vpc = containerNetwork(this, 'Network', logGroup);
    const task = new ContainerTask(this, 'Task', {
      name: 'Capture',
      folder: container.name,
      size: container,
      logGroup,
      environment: environmentOf(this, container, deployment),
    });
    grantAccess(this, task.taskRole, container, deployment);
    new FargateService(this, 'Service', {
      cluster: new Cluster(this, 'Cluster', { vpc, containerInsightsV2: ContainerInsights.ENABLED }),
      taskDefinition: task,
      // A second one would only wait for the leases of the first.
      desiredCount: 1,
      minHealthyPercent: 0,
      maxHealthyPercent: 100,
      assignPublicIp: true,
      circuitBreaker: { rollback: true },
    });
  }
}
