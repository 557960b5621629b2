import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { GROUPS } from '../../functions/api.ts';
import type { StartLimits } from '../../shared/domains/pipelines/store/start-limits.ts';
import type { AiSettings } from '../../shared/platform/ai/settings.ts';
import { AiPlane } from '../constructs/ai-plane.ts';
import { BundledFunction } from '../constructs/bundled-function.ts';
import { EndpointGroup } from '../constructs/endpoint-group.ts';
import { allow, grantInvoke, grantObjects, grantResults, grantTable } from '../constructs/grants.ts';
import { PipelinePlane } from '../constructs/pipeline-plane.ts';
import { PublicApi } from '../constructs/public-api.ts';
import { QueuedWorker } from '../constructs/queued-worker.ts';
import { WebhookPlane } from '../constructs/webhook-plane.ts';
import type { DataStack } from './data-stack.ts';

export interface RuntimeStackProps extends StackProps {
  data: DataStack;
  /** Name of the SSM parameter (SecureString) that holds the deployment's master secret. */
  masterSecretParameter: string;
  /** Private address ranges that outbound connections may reach; none on AWS unless the operator says so. */
  allowedPrivateCidrs: string;
  /** Whether steps may run in containers. */
  stepContainers: boolean;
  /** How many megabytes a step must read to be moved to Athena; null without it. */
  athenaFromMb: number | null;
  /** How many runs of a pipeline, and of a workspace by its users, are started in a minute. */
  startLimits: StartLimits;
  /** Seconds before the second, third, fourth and fifth attempt of a webhook delivery. */
  webhookBackoffSeconds: readonly number[];
  /** The model that drafts for users; null without one. */
  ai: AiSettings | null;
  /** Name of the SSM parameter (SecureString) that holds the key of the AI provider. */
  aiKeyParameter: string;
}

/** Everything that runs: the API, its functions, queues, machines and the tick. It holds no data of its own. */
export class RuntimeStack extends Stack {
  readonly api: PublicApi;
  readonly groups = new Map<string, EndpointGroup>();
  readonly engine: BundledFunction;
  readonly jobs: QueuedWorker;
  readonly pipelines: PipelinePlane;
  readonly webhooks: WebhookPlane;
  readonly ai: AiPlane;
  readonly captures: QueuedWorker;
  readonly #props: RuntimeStackProps;

  constructor(scope: Construct, id: string, props: RuntimeStackProps) {
    super(scope, id, props);
    this.#props = props;
    this.api = new PublicApi(this, 'Api');
    for (const group of GROUPS) this.#addGroup(group.name, group.prefixes);
    this.engine = this.#engine();
    this.#connectDataGroups();
    this.pipelines = this.#pipelinePlane();
    this.jobs = this.#jobWorker();
    this.webhooks = this.#webhookPlane();
    this.ai = this.#aiPlane();
    this.captures = this.#captureWorker();
    this.#addOwnerFunction();
  }

  #webhookPlane(): WebhookPlane {
    const { allowedPrivateCidrs, webhookBackoffSeconds, data } = this.#props;
    const group = this.#group('webhooks');
    group.function.expect('ALLOWED_PRIVATE_CIDRS', allowedPrivateCidrs);
    return new WebhookPlane(this, 'WebhookPlane', {
      table: data.table,
      group,
      environment: this.#environment(),
      allowedPrivateCidrs,
      backoffSeconds: webhookBackoffSeconds,
      grantMasterSecret: (grantee) => this.#grantMasterSecret(grantee),
    });
  }

  #aiPlane(): AiPlane {
    const { ai, aiKeyParameter, allowedPrivateCidrs } = this.#props;
    return new AiPlane(this, 'AiPlane', {
      ai,
      keyParameter: aiKeyParameter,
      allowedPrivateCidrs,
      askers: [this.#group('pipeline-authoring').function],
    });
  }

  /** The queues in which messages wait, by name. */
  get queues(): Record<string, Queue> {
    return {
      Work: this.pipelines.workQueue.queue,
      Jobs: this.jobs.queue.queue,
      Captures: this.captures.queue.queue,
      Deliveries: this.webhooks.deliveries.queue,
      SlowDeliveries: this.webhooks.slowDeliveries.queue,
    };
  }

  /** Where messages and stream records end that could not be handled; the tick asks again for the turn of a capture that was lost. */
  get deadLetterQueues(): Record<string, Queue> {
    return {
      Work: this.pipelines.workQueue.deadLetters,
      Jobs: this.jobs.queue.deadLetters,
      Deliveries: this.webhooks.deliveries.deadLetters,
      Outbox: this.webhooks.outbox.deadLetters,
    };
  }

  get machines(): Record<string, StateMachine> {
    return { Run: this.pipelines.runMachine.machine, Step: this.pipelines.stepMachine.machine };
  }

  /** Functions that no caller waits for: nobody but an alarm notices when they fail. */
  get workers(): Record<string, BundledFunction> {
    return {
      Tick: this.pipelines.functions.tick,
      FanOut: this.webhooks.fanOut,
      Sender: this.webhooks.sender,
    };
  }

  #pipelinePlane(): PipelinePlane {
    const { allowedPrivateCidrs, data, stepContainers, athenaFromMb, startLimits } = this.#props;
    return new PipelinePlane(this, 'PipelinePlane', {
      table: data.table,
      bucket: data.bucket,
      group: this.#group('pipelines'),
      authoring: this.#group('pipeline-authoring'),
      engine: this.engine,
      environment: this.#environment(),
      allowedPrivateCidrs,
      startLimits,
      containers: stepContainers,
      athenaFromMb,
      grantMasterSecret: (grantee) => this.#grantMasterSecret(grantee),
    });
  }

  #jobWorker(): QueuedWorker {
    return new QueuedWorker(this, 'JobPlane', {
      ...this.#workerProps(),
      name: 'run-job',
      description: 'Refreshes datasets, reads catalogues of data sources, runs long queries.',
      memoryMb: 4096,
      scratchMb: 10_240,
      queue: { id: 'Jobs', variable: 'JOB_QUEUE_URL' },
      senders: [
        ...['data-sources', 'datasets', 'query'].map((name) => this.#group(name).function),
        this.pipelines.functions.tick,
      ],
    });
  }

  /** Each message is a turn of one stream; a transaction of any size is taken over as a whole. */
  #captureWorker(): QueuedWorker {
    const props = this.#workerProps();
    const pipelines = this.#group('pipelines').function.expect('ALLOWED_PRIVATE_CIDRS', props.allowedPrivateCidrs);
    return new QueuedWorker(this, 'CapturePlane', {
      ...props,
      name: 'capture-changes',
      description: 'Takes over the changes of Postgres sources.',
      memoryMb: 1024,
      queue: { id: 'Captures', variable: 'CAPTURE_QUEUE_URL' },
      senders: [pipelines, this.pipelines.functions.tick],
    });
  }

  #workerProps() {
    const { allowedPrivateCidrs, data } = this.#props;
    return {
      table: data.table,
      bucket: data.bucket,
      environment: this.#environment(),
      allowedPrivateCidrs,
      grantMasterSecret: (grantee: IGrantable) => this.#grantMasterSecret(grantee),
    };
  }

  /**
   * The function that runs SQL of users. It may read objects, keep results and nothing else, and holds one statement at a time: over a
   * runaway it ends itself.
   */
  #engine(): BundledFunction {
    const { bucket } = this.#props.data;
    const scratchMb = 2048;
    const engine = new BundledFunction(this, 'Engine', {
      name: 'engine',
      description: 'Checks and runs read-only SQL over datasets and files.',
      memoryMb: 2048,
      timeout: Duration.seconds(28),
      scratchMb,
      environment: { DATA_BUCKET: bucket.bucketName, SCRATCH_MB: String(scratchMb) },
    });
    grantObjects(engine, bucket, 'read');
    grantResults(engine, bucket);
    return engine;
  }

  #connectDataGroups(): void {
    for (const name of ['data-sources', 'datasets', 'pipeline-authoring', 'query', 'saved-queries']) {
      const group = this.#group(name);
      grantInvoke(group.function, this.engine);
      group.function.expect('ENGINE_FUNCTION', this.engine.functionName);
    }
    const { bucket } = this.#props.data;
    for (const [name, rights] of [
      ['datasets', 'readWrite'],
      ['pipeline-authoring', 'read'],
      ['query', 'read'],
      ['saved-queries', 'read'],
    ] as const) {
      const reader = this.#group(name).function;
      reader.expect('DATA_BUCKET', bucket.bucketName);
      grantObjects(reader, bucket, rights);
    }
    for (const name of ['query', 'saved-queries']) {
      const { function: queries } = this.#group(name);
      grantResults(queries.expect('ALLOWED_PRIVATE_CIDRS', this.#props.allowedPrivateCidrs), bucket);
    }
    const sources = this.#group('data-sources').function;
    sources.expect('DATA_BUCKET', bucket.bucketName).expect('ALLOWED_PRIVATE_CIDRS', this.#props.allowedPrivateCidrs);
    // A presigned upload has no more rights than who signed it.
    grantObjects(sources, bucket, 'readWrite');
  }

  #group(name: string): EndpointGroup {
    const group = this.groups.get(name);
    if (!group) throw new Error(`there is no endpoint group ${name}`);
    return group;
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

  #addGroup(name: string, prefixes: readonly string[]): void {
    const group = new EndpointGroup(this, pascalCase(name), {
      api: this.api,
      name,
      prefixes,
      environment: this.#environment(),
      divided: name === 'pipelines',
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

function pascalCase(name: string): string {
  return name.replaceAll(/(^|-)([a-z])/g, (_all, _dash, letter: string) => letter.toUpperCase());
}
