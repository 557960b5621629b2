import { randomBytes, randomUUID } from 'node:crypto';
import { type Principal, sessionOf } from '../../../core/access/principal.ts';
import type { Frame, Outcome, TaskPhase } from '../frame.ts';
import { stateOf } from '../frame.ts';
import type { Json } from '../json.ts';
import type { TaskState } from '../language/program.ts';
import { failure, StateError } from '../state-error.ts';
import { stoppedTask, stopTask } from '../tasks/ecs-task.ts';
import { performTask } from '../tasks/perform-task.ts';
import type { Engine } from './engine.ts';
import { evaluate, evaluateCount, PAYLOAD_LIMIT_BYTES, scopeOf } from './scope.ts';
import { scheduledEvents, settledEvent, submittedEvent } from './task-events.ts';

const TOKEN_PREFIX = 'AQCkAAAAKgAAAAMAAAAAAAAA';

export function newTaskToken(): string {
  return TOKEN_PREFIX + randomBytes(96).toString('base64');
}

export function looksLikeTaskToken(token: string): boolean {
  return token.length === TOKEN_PREFIX.length + 128 && token.startsWith(TOKEN_PREFIX);
}

/** Makes the calls of Task states, watches their deadlines, and settles them. */
export class TaskCalls {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Evaluates the call and stores it as scheduled; after a crash the call is repeated, but not the evaluation. */
  async schedule(frame: Frame, state: TaskState): Promise<boolean> {
    const { clock, journal, region, runtime } = this.#engine;
    const token = state.resource.waitForTaskToken ? newTaskToken() : undefined;
    const scope = scopeOf(frame, runtime, token === undefined ? {} : { token });
    const seconds = async (field: 'TimeoutSeconds' | 'HeartbeatSeconds', template = state.timeoutSeconds) =>
      template && (await evaluateCount(frame, field, template, scope, 1));
    const timeoutSeconds = await seconds('TimeoutSeconds');
    const heartbeatSeconds = state.heartbeatSeconds && (await seconds('HeartbeatSeconds', state.heartbeatSeconds));
    const taskArguments = state.arguments ? await evaluate(frame, state.arguments, scope) : frame.position.input;
    if (Buffer.byteLength(JSON.stringify(taskArguments)) > PAYLOAD_LIMIT_BYTES) {
      throw new StateError(
        'States.DataLimitExceeded',
        `The arguments of the task '${state.name}' exceed the maximum size.`,
      );
    }

    const now = clock.now();
    const phase: TaskPhase = {
      kind: 'task',
      arguments: taskArguments,
      submitted: false,
      callId: randomUUID(),
      ...(token !== undefined && { token }),
      ...(timeoutSeconds !== undefined && { timeoutAt: now + timeoutSeconds * 1000 }),
      ...(heartbeatSeconds !== undefined && { heartbeatSeconds, heartbeatAt: now + heartbeatSeconds * 1000 }),
    };
    return this.#engine.commit(frame, () => {
      for (const event of scheduledEvents(state, phase, region, timeoutSeconds)) journal.event(frame, ...event);
      if (token !== undefined) journal.issueToken(frame, token);
      frame.position.phase = phase;
      journal.save(frame);
    });
  }

  /**
   * Watches the deadlines and makes the call, unless it was accepted before a restart and only its token is awaited.
   */
  run(frame: Frame, phase: TaskPhase): void {
    if (phase.timeoutAt !== undefined) {
      this.#engine.at(frame, phase.timeoutAt, () => {
        this.#abandon(frame, phase);
        this.#settle(frame, phase, { error: 'States.Timeout' });
      });
    }
    this.#watchHeartbeat(frame, phase);
    if (!phase.submitted) this.#engine.background(frame, () => this.#call(frame, phase));
    else if (phase.started !== undefined) this.#engine.background(frame, () => this.#awaitEnd(frame, phase));
  }

  /** Handles a report from the token's holder. Returns false if the task no longer waits for it. */
  settleByToken(frame: Frame, token: string, outcome: Outcome): boolean {
    const { phase } = frame.position;
    if (phase.kind !== 'task' || phase.token !== token) return false;
    this.#settle(frame, phase, outcome);
    return true;
  }

  heartbeat(frame: Frame, token: string): boolean {
    const { phase } = frame.position;
    if (phase.kind !== 'task' || phase.token !== token) return false;
    if (phase.heartbeatSeconds !== undefined) {
      phase.heartbeatAt = this.#engine.clock.now() + phase.heartbeatSeconds * 1000;
      this.#engine.commit(frame, () => this.#engine.journal.save(frame));
    }
    return true;
  }

  /** One timer at a time: when it fires, it checks whether a heartbeat has moved the deadline. */
  #watchHeartbeat(frame: Frame, phase: TaskPhase): void {
    const deadline = phase.heartbeatAt;
    if (deadline === undefined) return;
    this.#engine.at(frame, deadline, () => {
      if (phase.heartbeatAt === deadline) this.#settle(frame, phase, { error: 'States.HeartbeatTimeout' });
      else this.#watchHeartbeat(frame, phase);
    });
  }

  async #call(frame: Frame, phase: TaskPhase): Promise<void> {
    const state = stateOf(frame) as TaskState;
    let reply: Json;
    try {
      reply = await this.#perform(frame, state, phase);
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      this.#settle(frame, phase, failure(error));
      return;
    }
    if (phase.token === undefined && !state.resource.waitForEnd) {
      this.#settle(frame, phase, { result: reply });
      return;
    }
    if (state.resource.waitForEnd) phase.started = (reply as { TaskArn: string }).TaskArn;
    if (frame.position.phase !== phase || !frame.live) return this.#abandon(frame, phase);
    const { journal } = this.#engine;
    this.#engine.commit(frame, () => {
      journal.event(frame, ...submittedEvent(state, reply));
      phase.submitted = true;
      journal.save(frame);
    });
    if (state.resource.waitForEnd) await this.#awaitEnd(frame, phase);
  }

  async #awaitEnd(frame: Frame, phase: TaskPhase): Promise<void> {
    try {
      const task = await stoppedTask(this.#engine.ports.ecs, phase.started!, callerOf(frame.execution));
      this.#settle(frame, phase, { result: task });
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
      this.#settle(frame, phase, failure(error));
    }
  }

  /** Stops the awaited work when the frame ends. */
  abandon(frame: Frame): void {
    if (frame.position.phase.kind === 'task') this.#abandon(frame, frame.position.phase);
  }

  #abandon({ execution }: Frame, { started }: TaskPhase): void {
    if (started === undefined) return;
    void stopTask(this.#engine.ports.ecs, started, `Stopped by the execution ${execution.arn}`, callerOf(execution));
  }

  /** A fault delays the call, fails it, or makes it twice (the first answer counts), like an at-least-once caller. */
  async #perform({ execution }: Frame, state: TaskState, phase: TaskPhase): Promise<Json> {
    const { arguments: taskArguments, callId } = phase;
    const { clock, faults, ports } = this.#engine;
    const place = { service: 'states', operation: 'Task', resource: `${state.name} ${JSON.stringify(taskArguments)}` };
    const late = faults.strike({ ...place, effects: ['delay'] });
    if (late) await new Promise<void>((resolve) => clock.schedule(clock.now() + (late.delayMs ?? 0), resolve));
    if (faults.strike({ ...place, effects: ['error'] })) {
      const service = { lambda: 'Lambda', sqs: 'Sqs', states: 'Sfn', ecs: 'ECS' }[state.resource.resourceType];
      throw new StateError(`${service}.ServiceException`, 'An internal error made on purpose by the fault switch.');
    }
    const call = { resource: state.resource, taskArguments, callId, caller: callerOf(execution) };
    const first = performTask(ports, call);
    if (faults.strike({ ...place, effects: ['duplicate'] })) {
      performTask(ports, call).catch(() => undefined);
    }
    return first;
  }

  /** The first outcome counts, from an answer, the token's holder or a deadline. */
  #settle(frame: Frame, phase: TaskPhase, outcome: Outcome): void {
    if (frame.position.phase !== phase) return;
    const { journal } = this.#engine;
    const checked = withinLimit(frame, outcome);
    const event = settledEvent(stateOf(frame) as TaskState, checked);
    this.#engine.settle(frame, checked, () => journal.event(frame, ...event));
  }
}

/** A machine calls other services as its role. */
function callerOf({ roleArn, name }: Frame['execution']): Principal {
  return sessionOf(roleArn, name);
}

function withinLimit(frame: Frame, outcome: Outcome): Outcome {
  if (!('result' in outcome) || Buffer.byteLength(JSON.stringify(outcome.result)) <= PAYLOAD_LIMIT_BYTES)
    return outcome;
  return {
    error: 'States.DataLimitExceeded',
    cause: `The state/task '${frame.position.state}' returned a result with a size exceeding the maximum number of bytes service limit.`,
  };
}
