import { ArnFormat, Stack } from 'aws-cdk-lib';
import { SecurityGroup, type Vpc } from 'aws-cdk-lib/aws-ec2';
import { Cluster, ContainerInsights } from 'aws-cdk-lib/aws-ecs';
import { Effect, type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { StepTask } from '../../functions/pipelines/workers/run-step/step-machine.ts';
import type { ContainerResources } from '../../functions/resources.ts';
import { ENGINE_BUNDLE } from '../build/bundles.ts';
import { ContainerTask, containerLogs, containerNetwork } from './container-task.ts';
import { allow } from './grants.ts';
import { placeholder } from './pipeline-machine.ts';

const CONTAINER = 'RunStep';

export interface StepContainersProps {
  container: ContainerResources;
  environment: Record<string, string>;
}

/** Containers for steps that are too long or too large for functions. They are free of charge while no task runs. */
export class StepContainers extends Construct {
  readonly task: ContainerTask;
  readonly #family: string;
  readonly #cluster: Cluster;
  readonly #vpc: Vpc;
  readonly #securityGroup: SecurityGroup;

  constructor(scope: Construct, id: string, { container, environment }: StepContainersProps) {
    super(scope, id);
    const logGroup = containerLogs(this, 'Logs');
    this.#vpc = containerNetwork(this, 'Network', logGroup);
    this.#securityGroup = new SecurityGroup(this, 'Outbound', {
      vpc: this.#vpc,
      // AWS replaces a security group whose description changes.
      description: 'Containers that work on steps; they accept no connections.',
    });
    this.#family = `${Stack.of(this).stackName}-${container.name}`;
    this.#cluster = new Cluster(this, 'Cluster', {
      // A fixed name, so that grants can name its tasks.
      clusterName: this.#family,
      vpc: this.#vpc,
      containerInsightsV2: ContainerInsights.ENABLED,
    });
    this.task = new ContainerTask(this, 'Task', {
      name: CONTAINER,
      folder: ENGINE_BUNDLE,
      family: this.#family,
      size: container,
      logGroup,
      environment: { ...environment, UV_THREADPOOL_SIZE: '16', POWERTOOLS_LOG_LEVEL: 'INFO' },
    });
  }

  /** The parameters for the step machine; `values` contains the values of their placeholders. */
  get definition(): StepTask {
    return {
      cluster: placeholder('StepCluster'),
      family: this.#family,
      container: CONTAINER,
      subnets: this.#vpc.publicSubnets.map((_subnet, index) => placeholder(`StepSubnet${index}`)),
      securityGroup: placeholder('StepSecurityGroup'),
    };
  }

  get values(): Record<string, string> {
    return {
      StepCluster: this.#cluster.clusterArn,
      StepSecurityGroup: this.#securityGroup.securityGroupId,
      ...Object.fromEntries(this.#vpc.publicSubnets.map(({ subnetId }, index) => [`StepSubnet${index}`, subnetId])),
    };
  }

  /** Allows a state machine to run and stop this task in this cluster with its roles. */
  grantRun(machine: IGrantable): void {
    const { clusterArn } = this.#cluster;
    const stack = Stack.of(this);
    const family = stack.formatArn({ service: 'ecs', resource: 'task-definition', resourceName: this.#family });
    const grant = (actions: string[], resources: string[], conditions: object) =>
      machine.grantPrincipal.addToPrincipalPolicy(
        new PolicyStatement({ effect: Effect.ALLOW, actions, resources, conditions: conditions as never }),
      );
    // Any revision: an execution that started before the last deployment uses the newest one.
    grant(['ecs:RunTask'], [family, `${family}:*`], { ArnEquals: { 'ecs:cluster': clusterArn } });
    allow(
      machine,
      ['ecs:StopTask', 'ecs:DescribeTasks'],
      [stack.formatArn({ service: 'ecs', resource: 'task', resourceName: `${this.#family}/*` })],
    );
    grant(['iam:PassRole'], [this.task.taskRole.roleArn, this.task.obtainExecutionRole().roleArn], {
      StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' },
    });
    // The rule by which Step Functions is notified of ended tasks; the service owns it.
    allow(
      machine,
      ['events:PutTargets', 'events:PutRule', 'events:DescribeRule'],
      [
        stack.formatArn({
          service: 'events',
          resource: 'rule',
          resourceName: 'StepFunctionsGetEventsForECSTaskRule',
          arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
        }),
      ],
    );
  }
}
