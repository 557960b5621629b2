import { ArnFormat, Stack } from 'aws-cdk-lib';
import { SecurityGroup, type Vpc } from 'aws-cdk-lib/aws-ec2';
import { Cluster, ContainerInsights } from 'aws-cdk-lib/aws-ecs';
import { Effect, type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { StepTask } from '../../functions/workers/pipelines/run-step/step-machine.ts';
import { ENGINE_BUNDLE } from '../build/bundles.ts';
import { ContainerTask, containerLogs, containerNetwork } from './container-task.ts';
import { allow } from './grants.ts';
import { placeholder } from './run-machine.ts';

/** Three times the memory and twenty times the disk of the largest function, as long as a run may take: about $0.26 an hour. */
const CPU = 4096;
const MEMORY_MB = 30_720;
const SCRATCH_GB = 200;
const CONTAINER = 'RunStep';

/** Where steps are worked on that are too long or too large for functions. Without a task at work it costs nothing. */
export class StepContainers extends Construct {
  readonly task: ContainerTask;
  readonly #family: string;
  readonly #cluster: Cluster;
  readonly #vpc: Vpc;
  readonly #securityGroup: SecurityGroup;

  constructor(scope: Construct, id: string, { environment }: { environment: Record<string, string> }) {
    super(scope, id);
    const logGroup = containerLogs(this, 'Logs');
    this.#vpc = containerNetwork(this, 'Network', logGroup);
    this.#securityGroup = new SecurityGroup(this, 'Outbound', {
      vpc: this.#vpc,
      description: 'Containers that work on steps: nobody reaches them.',
    });
    this.#family = `${Stack.of(this).stackName}-run-step`;
    this.#cluster = new Cluster(this, 'Cluster', {
      // Known before it is made, so that rights can name its tasks.
      clusterName: this.#family,
      vpc: this.#vpc,
      containerInsightsV2: ContainerInsights.ENABLED,
    });
    this.task = new ContainerTask(this, 'Task', {
      name: CONTAINER,
      folder: ENGINE_BUNDLE,
      family: this.#family,
      cpu: CPU,
      memoryMb: MEMORY_MB,
      scratchGb: SCRATCH_GB,
      logGroup,
      environment: {
        ...environment,
        TASK_MEMORY_MB: String(MEMORY_MB),
        SCRATCH_MB: String(SCRATCH_GB * 1024),
        UV_THREADPOOL_SIZE: '16',
        POWERTOOLS_LOG_LEVEL: 'INFO',
      },
    });
  }

  /** How the step machine starts a task, with placeholders for what the deployment knows; see `values`. */
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

  /** Lets a state machine run this task in this cluster, with these roles, and end it. */
  grantRun(machine: IGrantable): void {
    const { clusterArn } = this.#cluster;
    const stack = Stack.of(this);
    const family = stack.formatArn({ service: 'ecs', resource: 'task-definition', resourceName: this.#family });
    const grant = (actions: string[], resources: string[], conditions: object) =>
      machine.grantPrincipal.addToPrincipalPolicy(
        new PolicyStatement({ effect: Effect.ALLOW, actions, resources, conditions: conditions as never }),
      );
    // Whichever revision is the newest: an execution may be older than the last deployment.
    grant(['ecs:RunTask'], [family, `${family}:*`], { ArnEquals: { 'ecs:cluster': clusterArn } });
    allow(
      machine,
      ['ecs:StopTask', 'ecs:DescribeTasks'],
      [stack.formatArn({ service: 'ecs', resource: 'task', resourceName: `${this.#family}/*` })],
    );
    grant(['iam:PassRole'], [this.task.taskRole.roleArn, this.task.obtainExecutionRole().roleArn], {
      StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' },
    });
    // The rule by which Step Functions learns of the end of tasks; it is the service's own.
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
