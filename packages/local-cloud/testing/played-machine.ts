import type { DatabaseSync } from 'node:sqlite';
import { AwsError } from '../core/aws-error.ts';
import { openDatabase } from '../core/database.ts';
import { Faults } from '../core/faults.ts';
import type { EcsPort, EcsTask, LambdaPort } from '../core/ports.ts';
import { type OpenExecution, rootOf } from '../services/step-functions/frame.ts';
import type { Json } from '../services/step-functions/json.ts';
import { compileMachine } from '../services/step-functions/language/compile-machine.ts';
import type { Machine } from '../services/step-functions/language/program.ts';
import { beginExecution } from '../services/step-functions/runtime/begin-execution.ts';
import { Interpreter } from '../services/step-functions/runtime/interpreter.ts';
import { ExecutionStore } from '../services/step-functions/storage/execution-store.ts';
import { type Ending, Journal } from '../services/step-functions/storage/journal.ts';
import { SCHEMA } from '../services/step-functions/storage/schema.ts';
import { PassingTime } from './passing-time.ts';
import { functionReply } from './recording-ports.ts';

/** What surrounds an execution: the test's clock, and what the machine calls. */
export interface Play {
  now: () => number;
  /** Moves that clock when the execution waits. */
  pass: (milliseconds: number) => void;
  random: () => number;
  /**
   * A function's reply, a `FunctionFailure`, an `AwsError` of the service, or a `StateError` that the state receives as
   * it is. `time.take` makes the call last.
   */
  invoke: (functionName: string, event: unknown, time: PassingTime) => Promise<unknown>;
  /** The exit code of a started container; an `AwsError` if none starts. */
  runTask?: (input: object) => AwsError | Promise<number>;
}

/** `asleep`: only the holder of its task token can continue it. */
export type AtRest = Ending | { readonly status: 'asleep' };

const PLACE = 'arn:aws:states:us-east-1:000000000000';
const REVISION = { id: 1, roleArn: 'arn:aws:iam::000000000000:role/machine' };

/** A state machine that runs inside a test process; the test supplies the results of functions and containers. */
export class PlayedMachine {
  readonly #machine: Machine;
  readonly #database: DatabaseSync;
  #executions = 0;

  /** Throws if the definition is not valid. */
  constructor(definition: object) {
    const { machine, diagnostics } = compileMachine(JSON.stringify(definition));
    if (!machine) throw new Error(diagnostics.map(({ message }) => message).join('; '));
    this.#machine = machine;
    this.#database = openDatabase(':memory:', SCHEMA);
  }

  /** Starts an execution. Names may repeat; the test decides what is a duplicate. */
  start(name: string, input: object, play: Play): PlayedExecution {
    this.#executions += 1;
    const arn = `${PLACE}:execution:played:${name}:${this.#executions}`;
    return new PlayedExecution(this.#database, this.#machine, { arn, name, input: JSON.stringify(input) }, play);
  }
}

export class PlayedExecution {
  /** Resolves when the execution has ended or only a task token can continue it. */
  readonly atRest: Promise<AtRest>;
  readonly ended: Promise<Ending>;
  readonly #interpreter: Interpreter;
  readonly #execution: OpenExecution;
  readonly #rest = Promise.withResolvers<AtRest>();
  readonly #end = Promise.withResolvers<Ending>();

  constructor(
    database: DatabaseSync,
    machine: Machine,
    record: { arn: string; name: string; input: string },
    play: Play,
  ) {
    const time = new PassingTime(play.now, play.pass, () => this.#isAsleep());
    const journal = new Journal(database, time, () => undefined);
    const store = new ExecutionStore(database);
    this.atRest = this.#rest.promise;
    this.ended = this.#end.promise;
    this.#interpreter = new Interpreter(
      {
        region: 'us-east-1',
        clock: time,
        runtime: { now: () => time.now(), random: play.random },
        faults: new Faults(),
        journal,
        ports: { lambda: lambdaOf(play, time), ecs: ecsOf(play, time), sqs: NONE, states: NONE, region: 'us-east-1' },
      },
      ({ id }, ending) => {
        this.#rest.resolve(ending);
        this.#end.resolve(ending);
        queueMicrotask(() => store.remove(id));
      },
      () => undefined,
    );
    const begun = { ...record, machineArn: `${PLACE}:stateMachine:played`, startedAt: time.now() };
    this.#execution = journal.transaction(() => beginExecution(journal, begun, REVISION, machine));
    this.#interpreter.run(this.#execution);
  }

  /** The execution is lost: it does nothing any more. */
  stop(): void {
    this.#interpreter.end(this.#execution, { status: 'ABORTED' });
  }

  /** What the holder of a token reports. */
  succeed(token: string, result: Json): void {
    for (const frame of this.#execution.frames.values()) {
      this.#interpreter.tasks.settleByToken(frame, token, { result });
    }
  }

  fail(token: string, error: string, cause: string): void {
    for (const frame of this.#execution.frames.values()) {
      this.#interpreter.tasks.settleByToken(frame, token, { error, cause });
    }
  }

  #isAsleep(): boolean {
    if (!rootOf(this.#execution).live) return true;
    const isAsleep = [...this.#execution.frames.values()].some(
      ({ live, position: { phase } }) => live && phase.kind === 'task' && phase.token !== undefined && phase.submitted,
    );
    if (isAsleep) this.#rest.resolve({ status: 'asleep' });
    return isAsleep;
  }
}

const NONE = new Proxy({} as never, {
  get: () => () => Promise.reject(new Error('A played machine calls functions and containers alone.')),
});

function lambdaOf({ invoke }: Play, time: PassingTime): LambdaPort {
  return {
    invoke: ({ functionName, payload, type }) =>
      time.during(async () => functionReply(await invoke(functionName, JSON.parse(payload.toString()), time), type)),
    invokeStreaming: () => Promise.reject(new Error('Step Functions does not stream.')),
  };
}

/** The machine first starts the task, then waits for it to stop. */
function ecsOf({ runTask }: Play, time: PassingTime): EcsPort {
  const exits = new Map<string, Promise<number>>();
  return {
    async perform<Output>(operation: string, input: object): Promise<Output> {
      if (operation !== 'RunTask') return {} as Output;
      const exit = runTask?.(input) ?? new AwsError('ClusterNotFoundException', 'Cluster not found.');
      if (exit instanceof AwsError) throw exit;
      const taskArn = `arn:aws:ecs:us-east-1:000000000000:task/played/${exits.size}`;
      exits.set(taskArn, exit);
      return { tasks: [{ taskArn }] } as Output;
    },
    whenStopped: (taskArn) =>
      time.during(async (): Promise<EcsTask> => {
        const exitCode = await exits.get(taskArn)!;
        const stopCode = 'EssentialContainerExited';
        return { taskArn, clusterArn: 'played', stopCode, containers: [{ exitCode }] };
      }),
  };
}
