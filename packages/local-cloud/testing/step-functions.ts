import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  type DescribeExecutionOutput,
  GetExecutionHistoryCommand,
  type HistoryEvent,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { allowEverything } from '../core/access/authorizer.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { Faults } from '../core/faults.ts';
import { Front } from '../core/front.ts';
import type { SqsPort } from '../core/ports.ts';
import { createStepFunctions, type StepFunctions } from '../services/step-functions/step-functions.ts';
import { NoTasks, RecordingEvents, RecordingLambda, RecordingSqs } from './recording-ports.ts';

export const ROLE = 'arn:aws:iam::000000000000:role/machine';

/** Step Functions alone, with its own data folder, recording ports in place of other services, and an SDK client. */
export class TestStepFunctions {
  readonly lambda = new RecordingLambda();
  readonly sqs = new RecordingSqs();
  readonly events = new RecordingEvents();
  readonly ecs = new NoTasks();
  readonly faults = new Faults();
  readonly log: string[] = [];
  readonly clock: Clock;
  readonly random: () => number;
  readonly dataDir: string;
  client!: SFNClient;
  service!: StepFunctions;
  #front!: Front;
  #machines = 0;

  constructor(dataDir: string, options: { clock?: Clock; random?: () => number }) {
    this.dataDir = dataDir;
    this.clock = options.clock ?? systemClock;
    this.random = options.random ?? Math.random;
  }

  static async open(options: { clock?: Clock; random?: () => number } = {}): Promise<TestStepFunctions> {
    const cloud = new TestStepFunctions(await mkdtemp(join(tmpdir(), 'step-functions-')), options);
    await cloud.start();
    return cloud;
  }

  async start(): Promise<void> {
    let port = 0;
    this.service = createStepFunctions(
      {
        region: 'us-east-1',
        accountId: '000000000000',
        dataDir: this.dataDir,
        clock: this.clock,
        faults: this.faults,
        authorizer: allowEverything,
        random: this.random,
        endpoint: () => `http://127.0.0.1:${port}`,
        log: (message) => this.log.push(message),
      },
      { lambda: this.lambda, sqs: this.sqs as unknown as SqsPort, events: this.events, ecs: this.ecs },
    );
    this.#front = new Front();
    this.#front.add(this.service);
    port = await this.#front.listen(0);
    this.client = new SFNClient({
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${port}`,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 1,
    });
  }

  async stop(): Promise<void> {
    this.client.destroy();
    await this.#front.close();
    await this.service.close();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async dispose(): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true });
  }

  /** Creates a JSONata machine and returns its ARN. */
  async machine(definition: object, name = `machine-${++this.#machines}`): Promise<string> {
    const { stateMachineArn } = await this.client.send(
      new CreateStateMachineCommand({
        name,
        roleArn: ROLE,
        definition: JSON.stringify({ QueryLanguage: 'JSONata', ...definition }),
      }),
    );
    return stateMachineArn!;
  }

  async execute(stateMachineArn: string, input: unknown = {}, name?: string): Promise<string> {
    const { executionArn } = await this.client.send(
      new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input), name }),
    );
    return executionArn!;
  }

  /** Creates a machine, runs it to the end and describes the execution. */
  async run(definition: object, input: unknown = {}): Promise<DescribeExecutionOutput & { result: unknown }> {
    return this.ended(await this.execute(await this.machine(definition), input));
  }

  /** The closed execution, with its output parsed. */
  async ended(executionArn: string): Promise<DescribeExecutionOutput & { result: unknown }> {
    const description = await this.when(
      () => this.client.send(new DescribeExecutionCommand({ executionArn })),
      (described) => described.status !== 'RUNNING',
    );
    return { ...description, result: description.output === undefined ? undefined : JSON.parse(description.output) };
  }

  async history(executionArn: string): Promise<HistoryEvent[]> {
    const { events } = await this.client.send(new GetExecutionHistoryCommand({ executionArn, maxResults: 1000 }));
    return events!;
  }

  /** Repeats the call on each turn of the event loop until the answer fits. */
  async when<T>(ask: () => T | Promise<T>, fits: (answer: T) => boolean): Promise<T> {
    for (;;) {
      const answer = await ask();
      if (fits(answer)) return answer;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
