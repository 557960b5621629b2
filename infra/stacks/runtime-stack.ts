import { Lazy, Stack, type StackProps } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { GROUPS } from '../../functions/api.ts';
import type { Group } from '../../functions/group.ts';
import type { MachineName, QueueName, WorkerResources } from '../../functions/resources.ts';
import { WORKERS } from '../../functions/workers.ts';
import { type Deployment, environmentOf, grantAccess } from '../constructs/access.ts';
import type { BundledFunction } from '../constructs/bundled-function.ts';
import { pascalCase, scopeIn } from '../constructs/construct-paths.ts';
import { groupFunction, makeFunctions, makeQueues, nameOf, workerFunctions } from '../constructs/declared-functions.ts';
import { allow } from '../constructs/grants.ts';
import { languageModelArns } from '../constructs/language-model.ts';
import { MinuteSchedule } from '../constructs/minute-schedule.ts';
import { OutboxStream } from '../constructs/outbox-stream.ts';
import { makePipelineMachines } from '../constructs/pipeline-machines.ts';
import { PublicApi } from '../constructs/public-api.ts';
import { StepQueries } from '../constructs/step-queries.ts';
import { sendUploads } from '../constructs/upload-events.ts';
import type { WorkerQueue } from '../constructs/worker-queue.ts';
import type { Settings } from '../settings.ts';
import type { DataStore } from './data-stack.ts';
import { type DeploymentSettings, deploymentOf } from './deployment-settings.ts';

export interface RuntimeStackProps extends StackProps, DeploymentSettings, Pick<Settings, 'appUrl' | 'athenaFromMb'> {
  /** The endpoint groups of the API; `GROUPS` when absent. */
  groups?: readonly Group[];
}

/** Everything that runs: the API, its functions, queues, machines and schedules. It contains no data. */
export class RuntimeStack extends Stack {
  readonly api: PublicApi;
  readonly machines: Record<MachineName, StateMachine>;
  readonly #functions: ReadonlyMap<string, BundledFunction>;
  readonly #queues: ReadonlyMap<QueueName, WorkerQueue>;
  #outbox: OutboxStream | undefined;

  constructor(scope: Construct, id: string, props: RuntimeStackProps) {
    super(scope, id, props);
    const { data, groups = GROUPS, appUrl, athenaFromMb } = props;
    const declared = [...groups.map(groupFunction), ...WORKERS.flatMap(workerFunctions)];
    this.#queues = makeQueues(this, WORKERS);
    this.#functions = makeFunctions(this, declared);
    const pipelines = scopeIn(this, 'PipelineRuns');
    const queries =
      athenaFromMb === null
        ? undefined
        : new StepQueries(pipelines, 'StepQueries', { bucket: data.bucket, fromMb: athenaFromMb });
    const base = deploymentOf(props);
    const deployment: Deployment = {
      ...base,
      settings: {
        ...base.settings,
        ...queries?.settings,
        // The functions that read it are not part of the API, whose address is known only after its functions.
        APP_URL: appUrl ?? Lazy.string({ produce: () => this.api.urlForPath('/console') }),
      },
      queues: new Map([...this.#queues].map(([name, { queue }]) => [name, queue])),
      functions: this.#functions,
      languageModelArns: languageModelArns(this, props.ai),
    };
    for (const { props, access } of declared) {
      const target = this.#function(nameOf(props));
      for (const [name, value] of Object.entries(environmentOf(this, access, deployment))) {
        target.addEnvironment(name, value);
      }
      grantAccess(this, target, access, deployment);
    }
    for (const worker of WORKERS) this.#addTriggers(worker, data);
    this.api = new PublicApi(this, 'Api', { groups, functionOf: (group) => this.#function(group) });
    sendUploads(pipelines, data.bucket, this.#queues.get('work')!);
    const hasContainers = props.stepContainers;
    this.machines = makePipelineMachines(pipelines, { functions: this.#functions, deployment, hasContainers, queries });
  }

  /** The queues for waiting messages, by name. */
  get queues(): Record<string, Queue> {
    return Object.fromEntries([...this.#queues].map(([name, { queue }]) => [pascalCase(name), queue]));
  }

  /** The queues for messages and stream records that failed for good. */
  get deadLetterQueues(): Record<string, Queue> {
    const own = WORKERS.flatMap(({ consumes = [] }) => consumes)
      .filter(({ sharesDeadLettersOf }) => !sharesDeadLettersOf)
      .map(({ name }) => [pascalCase(name), this.#queues.get(name)!.deadLetters]);
    return { ...Object.fromEntries(own), ...(this.#outbox && { Outbox: this.#outbox.deadLetters }) };
  }

  /** The functions of the workers whose crashes an alarm reports: one, or one for each size. */
  get alarmedFunctions(): Record<string, IFunction[]> {
    const workers = WORKERS.filter(({ alarmsOnErrors }) => alarmsOnErrors);
    return Object.fromEntries(
      workers.map((worker) => [worker.name, workerFunctions(worker).map(({ props }) => this.#function(nameOf(props)))]),
    );
  }

  #addTriggers(worker: WorkerResources, { table }: DataStore): void {
    const { name, consumes = [], consumesOutbox, everyMinute } = worker;
    const target = this.#function(name);
    for (const consumed of consumes) {
      const workerQueue = this.#queues.get(consumed.name)!;
      workerQueue.feed(target, consumed);
      if (worker.returnsMessages) allow(target, ['sqs:ChangeMessageVisibility'], [workerQueue.queue.queueArn]);
    }
    if (consumesOutbox) this.#outbox = new OutboxStream(this, 'Outbox', { table, consumer: target });
    if (everyMinute) {
      new MinuteSchedule(this, `${pascalCase(name)}Schedule`, { target, description: everyMinute });
    }
  }

  #function(name: string): BundledFunction {
    const found = this.#functions.get(name);
    if (!found) throw new Error(`There is no function ${name}`);
    return found;
  }
}
