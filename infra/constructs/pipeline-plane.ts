import { Duration } from 'aws-cdk-lib';
import { type IResource, LambdaIntegration, ResponseTransferMode } from 'aws-cdk-lib/aws-apigateway';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { runMachineDefinition } from '../../functions/workers/pipelines/run-lifecycle/run-machine.ts';
import { stepMachineDefinition } from '../../functions/workers/pipelines/run-step/step-machine.ts';
import {
  COMPUTE_SIZES,
  type ComputeSize,
  type ExtraEngine,
  type StartLimits,
  USUAL_SIZE,
} from '../../shared/domains/pipelines/index.ts';
import { BundledFunction } from './bundled-function.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import type { EndpointGroup } from './endpoint-group.ts';
import { allow, grantInvoke, grantObjects, grantTable } from './grants.ts';
import { machineArn, placeholder, RunMachine } from './run-machine.ts';
import { ScheduleTick } from './schedule-tick.ts';
import { StepContainers } from './step-containers.ts';
import { StepQueries } from './step-queries.ts';

export interface PipelinePlaneProps {
  table: TableV2;
  bucket: Bucket;
  /** The operations under `/api/pipelines`. */
  group: EndpointGroup;
  /** Those of them that help to write a pipeline. */
  authoring: EndpointGroup;
  engine: IFunction;
  environment: Record<string, string>;
  allowedPrivateCidrs: string;
  startLimits: StartLimits;
  /** Whether steps may run in containers. */
  containers: boolean;
  /** How many megabytes a step must read to be moved to Athena; null without it. */
  athenaFromMb: number | null;
  grantMasterSecret(grantee: IGrantable): void;
}

const SIZES = Object.keys(COMPUTE_SIZES) as ComputeSize[];

const bySize = <T>(of: (size: ComputeSize) => T): Record<ComputeSize, T> =>
  Object.fromEntries(SIZES.map((size) => [size, of(size)])) as Record<ComputeSize, T>;

const stepFunctionId = (size: ComputeSize) =>
  size === USUAL_SIZE ? 'RunStep' : `RunStep${size.charAt(0).toUpperCase()}${size.slice(1)}`;

/** What runs pipelines: two static machines, the functions that they drive, the work queue, the tick and the event stream. */
export class PipelinePlane extends Construct {
  readonly workQueue: DeliveryQueue;
  readonly runMachine: RunMachine;
  readonly stepMachine: RunMachine;
  readonly functions: Record<'lifecycle' | 'step' | 'tick' | 'events', BundledFunction>;

  constructor(scope: Construct, id: string, props: PipelinePlaneProps) {
    super(scope, id);
    const { table, bucket, group } = props;
    const machines = { RUN_MACHINE_ARN: machineArn(this, 'run'), STEP_MACHINE_ARN: machineArn(this, 'step') };
    const extra: Record<string, string> = props.containers ? { EXTRA_ENGINES: 'container' satisfies ExtraEngine } : {};
    const environment = { ...props.environment, ...machines, DATA_BUCKET: bucket.bucketName };

    const startLimits = {
      PIPELINE_STARTS_PER_MINUTE: String(props.startLimits.perPipeline),
      WORKSPACE_STARTS_PER_MINUTE: String(props.startLimits.perWorkspace),
    };
    const lifecycleTimeout = Duration.minutes(5);
    const lifecycle = new BundledFunction(this, 'RunLifecycle', {
      name: 'run-lifecycle',
      description: 'Starts and closes pipeline runs.',
      memoryMb: 512,
      timeout: lifecycleTimeout,
      environment: { ...environment, ...startLimits },
    });
    const { athenaFromMb: fromMb } = props;
    const queries = fromMb === null ? undefined : new StepQueries(this, 'StepQueries', { bucket, fromMb });
    const stepEnvironment = {
      ...environment,
      ...extra,
      ...queries?.environment,
      ALLOWED_PRIVATE_CIDRS: props.allowedPrivateCidrs,
    };
    const steps = this.#stepFunctions(stepEnvironment);
    const step = steps[USUAL_SIZE];
    const tick = new BundledFunction(this, 'ScheduleTickFunction', {
      name: 'schedule-tick',
      description: 'Starts due pipeline runs and mends stuck ones.',
      memoryMb: 512,
      timeout: Duration.seconds(55),
      concurrency: 1,
      environment,
    });
    const events = new BundledFunction(this, 'PipelineEvents', {
      name: 'pipeline-events',
      description: 'API: streams the events of a run.',
      memoryMb: 256,
      timeout: Duration.minutes(15),
      environment: { ...props.environment, DATA_BUCKET: bucket.bucketName },
    });
    this.functions = { lifecycle, step, tick, events };

    this.workQueue = new DeliveryQueue(this, 'Work', {
      consumer: lifecycle,
      consumerTimeout: lifecycleTimeout,
      batchSize: 10,
      maxConcurrency: 20,
      maxReceives: 5,
    });
    this.#reportUploads(bucket);
    this.runMachine = new RunMachine(this, 'RunMachine', {
      name: 'run',
      definition: runMachineDefinition({ runLifecycle: placeholder('RunLifecycle') }),
      functions: { RunLifecycle: lifecycle },
    });
    const containers = props.containers
      ? new StepContainers(this, 'StepContainers', {
          environment: { ...stepEnvironment, WORK_QUEUE_URL: this.workQueue.queue.queueUrl },
        })
      : undefined;
    this.stepMachine = new RunMachine(this, 'StepMachine', {
      name: 'step',
      definition: stepMachineDefinition(
        bySize((size) => placeholder(stepFunctionId(size))),
        containers?.definition,
        queries?.definition,
      ),
      functions: Object.fromEntries(SIZES.map((size) => [stepFunctionId(size), steps[size]])),
      values: { ...containers?.values, ...queries?.values },
    });
    containers?.grantRun(this.stepMachine.machine);
    queries?.grantRun(this.stepMachine.machine);
    const stepWorkers: IGrantable[] = [...Object.values(steps), ...(containers ? [containers.task.taskRole] : [])];
    new ScheduleTick(this, 'Tick', { target: tick, description: 'Starts due pipeline runs and mends stuck ones.' });

    for (const target of [lifecycle, ...stepWorkers, tick, group.function]) {
      grantTable(target, table, 'readWrite');
      allow(target, ['states:StartExecution'], Object.values(machines));
      // Task tokens name no resource, so this action cannot be narrowed.
      allow(target, ['states:SendTaskSuccess'], ['*']);
    }
    grantTable(events, table, 'read');
    for (const reader of [events, lifecycle]) grantObjects(reader, bucket, 'read');
    for (const writer of [...stepWorkers, tick]) grantObjects(writer, bucket, 'readWrite');
    // A file that starts a run is read as it has arrived, also when it was replaced since.
    for (const reader of stepWorkers) allow(reader, ['s3:GetObjectVersion'], [bucket.arnForObjects('W/*/uploads/*')]);
    grantObjects(group.function, bucket, 'readWrite');
    grantInvoke(group.function, props.engine);
    allow(group.function, ['states:DescribeStateMachine'], Object.values(machines));
    for (const sender of [group.function, tick, ...stepWorkers, lifecycle]) {
      allow(sender, ['sqs:SendMessage'], [this.workQueue.queue.queueArn]);
    }
    for (const sender of [group.function, tick, ...Object.values(steps), lifecycle]) {
      sender.expect('WORK_QUEUE_URL', this.workQueue.queue.queueUrl);
    }
    for (const holder of [...stepWorkers, events]) props.grantMasterSecret(holder);
    for (const [name, value] of Object.entries(extra)) props.authoring.function.expect(name, value);
    for (const [name, value] of Object.entries({
      ...machines,
      ...extra,
      ...startLimits,
      DATA_BUCKET: bucket.bucketName,
    })) {
      group.function.expect(name, value);
    }
    group.function.expect('ENGINE_FUNCTION', props.engine.functionName);
    this.#routes(props, events);
  }

  /** One function for each size, of the same code: what a function has of memory is fixed when it is deployed. */
  #stepFunctions(environment: Record<string, string>): Record<ComputeSize, BundledFunction> {
    return bySize(
      (size) =>
        new BundledFunction(this, stepFunctionId(size), {
          name: 'run-step',
          ...(size === USUAL_SIZE ? {} : { variant: size }),
          description: `Works on the steps of a pipeline run, with ${COMPUTE_SIZES[size]} MB.`,
          memoryMb: COMPUTE_SIZES[size],
          timeout: Duration.minutes(15),
          scratchMb: 10_240,
          environment: { ...environment, COMPUTE_SIZE: size },
        }),
    );
  }

  /** Files that arrive at sources, as one group: a flood of them waits behind itself and not before other work. */
  #reportUploads(bucket: Bucket): void {
    const { queue, deadLetters } = this.workQueue;
    new Rule(this, 'Uploads', {
      description: 'Files that were uploaded to data sources.',
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: { bucket: { name: [bucket.bucketName] }, object: { key: [{ wildcard: 'W/*/uploads/*' }] } },
      },
      targets: [new SqsQueue(queue, { messageGroupId: 'uploads', deadLetterQueue: deadLetters })],
    });
  }

  /** Who serves what below `/api/pipelines`. Below a fixed path the greedy child of its parent is not asked, hence so many. */
  #routes({ group, authoring }: PipelinePlaneProps, events: IFunction): void {
    const served = (by: EndpointGroup, parent: IResource, part: string): IResource => {
      const resource = parent.addResource(part);
      resource.addMethod('ANY', by.integration);
      return resource;
    };
    const pipelines = group.resource('pipelines');
    const pipeline = served(group, pipelines, '{id}');
    group.everythingBelow(pipeline);
    for (const part of ['lineage', 'suggest-ops', 'transform-preview']) served(authoring, pipeline, part);
    authoring.everythingBelow(served(authoring, pipelines, 'flowlets'));

    const run = served(group, served(group, pipelines, 'runs'), '{runId}');
    group.everythingBelow(run);
    run.addResource('events').addMethod(
      'GET',
      new LambdaIntegration(events, {
        scopePermissionToMethod: false,
        responseTransferMode: ResponseTransferMode.STREAM,
        timeout: Duration.minutes(15),
      }),
    );
  }
}
