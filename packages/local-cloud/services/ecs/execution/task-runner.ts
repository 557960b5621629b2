import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Credentials } from '../../../core/access/credentials.ts';
import { sessionOf } from '../../../core/access/principal.ts';
import { MemoryWatch } from '../../../core/memory-watch.ts';
import { Reaper } from '../../../core/reaper.ts';
import type { CloudContext } from '../../../core/service.ts';
import { writeLog } from '../../../iam/requests/logs.ts';
import { nameOf } from '../arns.ts';
import type { ContainerDefinition, StopCode, Task, TaskDefinition } from '../model.ts';
import type { EcsStore } from '../storage/store.ts';
import { ContainerProcess } from './container-process.ts';
import { commandLine, findImage, type ImageSource } from './image.ts';
import { TaskCredentials } from './task-credentials.ts';
import { containerVariables } from './variables.ts';

/** Destination of containers' output; CloudWatch Logs implements it. */
export interface LogSink {
  append(group: string, stream: string, lines: { timestamp: number; message: string }[]): void;
}

const DEFAULT_STOP_SECONDS = 30;

interface Stop {
  code: StopCode;
  reason: string;
}

interface RunningTask {
  process: ContainerProcess;
  /** Why it is being stopped, if it is. */
  stop?: Stop;
  /** The reported cause of the container's end. */
  containerReason?: string;
  cancels: (() => void)[];
}

/** Runs tasks as processes, from their start until they are stored as stopped. */
export class TaskRunner {
  readonly credentials: TaskCredentials;
  readonly #context: CloudContext;
  readonly #store: EcsStore;
  readonly #logs: LogSink;
  readonly #images: ImageSource;
  readonly #temporary: string;
  readonly #running = new Map<string, RunningTask>();
  readonly #stopped = new EventEmitter().setMaxListeners(0);
  readonly #memory = new MemoryWatch();
  readonly #reaper = new Reaper();
  #closed = false;

  constructor(
    context: CloudContext,
    store: EcsStore,
    ports: { logs: LogSink; images: ImageSource; credentials: Credentials },
  ) {
    this.#context = context;
    this.#store = store;
    this.#logs = ports.logs;
    this.#images = ports.images;
    this.credentials = new TaskCredentials(ports.credentials, () => context.endpoint());
    this.#temporary = join(context.dataDir, 'tmp');
    rmSync(this.#temporary, { recursive: true, force: true });
    // The process that ran these tasks is gone, and its containers ended with it.
    for (const task of store.openTasks()) {
      this.#end(task, { code: 'TerminationNotice', reason: 'The host of the task was terminated.' }, {});
    }
  }

  /** Starts the container of a stored task; a container that cannot start is stored as stopped, with the reason. */
  start(task: Task, definition: TaskDefinition): void {
    const [container] = definition.containerDefinitions as [ContainerDefinition];
    try {
      const running = this.#launch(task, definition, container);
      this.#running.set(task.taskArn, running);
      this.#save({ ...task, lastStatus: 'RUNNING', startedAt: this.#now(), containers: inState(task, 'RUNNING') });
      running.process.ended.then(
        ({ exitCode }) => this.#ended(task.taskArn, { exitCode }),
        (error: unknown) => this.#ended(task.taskArn, { reason: `CannotStartContainerError: ${String(error)}` }),
      );
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#end(task, { code: 'TaskFailedToStart', reason }, { reason });
    }
  }

  /** Sends SIGTERM to the container, and SIGKILL after its stop timeout. */
  stop(task: Task, stopTimeoutSeconds: number | undefined, stop: Stop): Task {
    const running = this.#running.get(task.taskArn);
    if (!running || running.stop) return task;
    running.stop = stop;
    running.process.signal('SIGTERM');
    const { clock } = this.#context;
    const killAt = clock.now() + (stopTimeoutSeconds ?? DEFAULT_STOP_SECONDS) * 1000;
    running.cancels.push(clock.schedule(killAt, () => running.process.signal('SIGKILL')));
    const { code: stopCode, reason: stoppedReason } = stop;
    return this.#save({
      ...task,
      lastStatus: 'STOPPING',
      desiredStatus: 'STOPPED',
      stoppingAt: this.#now(),
      stopCode,
      stoppedReason,
    });
  }

  /** The stopped task; never resolves if the service closes first. */
  async whenStopped(taskArn: string): Promise<Task> {
    const task = this.#store.task(taskArn);
    if (task?.lastStatus === 'STOPPED') return task;
    return new Promise((resolve) => this.#stopped.once(taskArn, resolve));
  }

  /** Kills every container, as the loss of a host would; the next start stores them as stopped. */
  async close(): Promise<void> {
    this.#closed = true;
    const running = [...this.#running.values()];
    for (const { process, cancels } of running) {
      for (const cancel of cancels) cancel();
      process.signal('SIGKILL');
    }
    await Promise.all(running.map(({ process }) => process.ended.catch(() => undefined)));
    this.#reaper.close();
    rmSync(this.#temporary, { recursive: true, force: true });
  }

  #launch(task: Task, definition: TaskDefinition, container: ContainerDefinition): RunningTask {
    const image = findImage(this.#images, container.image);
    if (!image) throw new Error(`CannotPullContainerError: ${container.image}: not found`);
    this.#checkLog(task, definition, container);
    const overrides = task.overrides.containerOverrides?.find(({ name }) => name === container.name);
    const temporaryFolder = join(this.#temporary, nameOf(task.taskArn));
    mkdirSync(temporaryFolder, { recursive: true });
    const program = commandLine(image.program, {
      entryPoint: container.entryPoint,
      command: overrides?.command ?? container.command,
    });
    const { taskRoleArn } = definition;
    const credentials = taskRoleArn ? this.credentials.open(taskRoleArn, nameOf(task.taskArn)) : undefined;
    const process = new ContainerProcess({
      program,
      workingFolder: image.folder,
      variables: containerVariables({
        image: image.program.environment,
        own: [...(container.environment ?? []), ...(overrides?.environment ?? [])],
        region: this.#context.region,
        endpoint: this.#context.endpoint(),
        credentials,
        temporaryFolder,
      }),
      onLine: this.#writer(task, container),
    });
    const running: RunningTask = { process, cancels: credentials ? [credentials.close] : [] };
    if (process.pid !== undefined) this.#reaper.guard(process.pid);
    running.cancels.push(
      this.#memory.watch(process, Number(definition.memory), () => {
        running.containerReason = 'OutOfMemoryError: Container killed due to memory usage';
        process.signal('SIGKILL');
      }),
      ...this.#fault(definition, process),
    );
    return running;
  }

  #fault({ family }: TaskDefinition, process: ContainerProcess): (() => void)[] {
    const { clock, faults } = this.#context;
    const fault = faults.strike({ service: 'ecs', operation: 'RunTask', resource: family, effects: ['kill'] });
    return fault ? [clock.schedule(clock.now() + (fault.delayMs ?? 0), () => process.signal('SIGKILL'))] : [];
  }

  #writer(task: Task, { name, logConfiguration }: ContainerDefinition): (line: string) => void {
    if (!logConfiguration) return () => undefined;
    const { group, stream } = logOf(task, name, logConfiguration.options);
    return (message) => this.#logs.append(group, stream, [{ timestamp: this.#context.clock.now(), message }]);
  }

  /** A container does not start without the right to write to its log. */
  #checkLog(task: Task, { executionRoleArn }: TaskDefinition, { name, logConfiguration }: ContainerDefinition): void {
    if (!logConfiguration || executionRoleArn === undefined) return;
    const { group, stream } = logOf(task, name, logConfiguration.options);
    const caller = sessionOf(executionRoleArn, nameOf(task.taskArn));
    const denials = writeLog(group, stream, this.#context).map((each) => this.#context.authorizer.denial(caller, each));
    const denial = denials.find((each) => each !== undefined);
    if (denial !== undefined) throw new Error(`ResourceInitializationError: failed to validate logger args: ${denial}`);
  }

  #ended(taskArn: string, container: { exitCode?: number; reason?: string }): void {
    const running = this.#running.get(taskArn);
    if (!running || this.#closed) return;
    this.#running.delete(taskArn);
    for (const cancel of running.cancels) cancel();
    if (running.process.pid !== undefined) this.#reaper.release(running.process.pid);
    rm(join(this.#temporary, nameOf(taskArn)), { recursive: true, force: true }).catch(() => undefined);
    const own: Stop = { code: 'EssentialContainerExited', reason: 'Essential container in task exited' };
    const failed: Stop = { code: 'TaskFailedToStart', reason: container.reason ?? '' };
    const stop = running.stop ?? (container.exitCode === undefined ? failed : own);
    const reason = running.containerReason ?? container.reason;
    this.#end(this.#store.task(taskArn) as Task, stop, { ...container, ...(reason !== undefined && { reason }) });
  }

  #end(task: Task, stop: Stop, container: { exitCode?: number; reason?: string }): void {
    const ended = this.#save({
      ...task,
      lastStatus: 'STOPPED',
      desiredStatus: 'STOPPED',
      stoppingAt: task.stoppingAt ?? this.#now(),
      stoppedAt: this.#now(),
      stopCode: stop.code,
      stoppedReason: stop.reason,
      containers: inState(task, 'STOPPED').map((each) => ({ ...each, ...container })),
    });
    this.#stopped.emit(task.taskArn, ended);
  }

  #save(task: Task): Task {
    const next = { ...task, version: task.version + 1 };
    this.#store.saveTask(next);
    return next;
  }

  #now(): number {
    return this.#context.clock.now() / 1000;
  }
}

function logOf(task: Task, container: string, options: Record<string, string>): { group: string; stream: string } {
  return {
    group: options['awslogs-group'] as string,
    stream: `${options['awslogs-stream-prefix']}/${container}/${nameOf(task.taskArn)}`,
  };
}

export function newTaskId(): string {
  return randomUUID().replaceAll('-', '');
}

function inState(task: Task, lastStatus: string): Task['containers'] {
  return task.containers.map((container) => ({ ...container, lastStatus }));
}
