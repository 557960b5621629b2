import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AwsError } from '../../../core/aws-error.ts';
import { Reaper } from '../../../core/reaper.ts';
import type { CloudContext } from '../../../core/service.ts';
import type { FunctionVersion } from '../model.ts';
import { Environment } from './environment.ts';
import { FunctionLog, type LogSink } from './function-log.ts';
import { environmentVariables, nodeOptions } from './variables.ts';

/** An environment with what belongs to it for its whole life. */
export interface Member {
  environment: Environment;
  log: FunctionLog;
  revisionId: string;
}

interface IdleMember extends Member {
  cancelReaping: () => void;
}

/**
 * All execution environments. Per revision of a function version the most recently used idle one is taken first, so
 * that the others can grow old and be reaped.
 */
export class Fleet {
  readonly #context: CloudContext;
  readonly #logs: LogSink;
  readonly #limits: { maxProcesses: number; idleMs: number };
  readonly #temporary: string;
  /** Oldest first. */
  readonly #idle: IdleMember[] = [];
  readonly #all = new Set<Member>();
  readonly #retired = new Set<string>();
  readonly #reaper = new Reaper();
  #closed = false;

  constructor(context: CloudContext, logs: LogSink, limits: { maxProcesses: number; idleMs: number }) {
    this.#context = context;
    this.#logs = logs;
    this.#limits = limits;
    this.#temporary = join(context.dataDir, 'tmp');
    rmSync(this.#temporary, { recursive: true, force: true });
  }

  /**
   * The warmest idle environment of this revision, or a new one that is still loading its handler. Throws
   * `ServiceException` once the service closes.
   */
  take(functionName: string, version: FunctionVersion): Member {
    if (this.#closed) throw new AwsError('ServiceException', 'The service is closing.', { status: 500 });
    for (let index = this.#idle.length - 1; index >= 0; index -= 1) {
      const member = this.#idle[index] as IdleMember;
      if (member.revisionId !== version.revisionId) continue;
      this.#idle.splice(index, 1);
      member.cancelReaping();
      if (member.environment.alive) return member;
    }
    // Idle environments of other functions make room: only running ones count as load.
    const oldest = this.#idle[0];
    if (oldest && this.#all.size >= this.#limits.maxProcesses) this.#reap(oldest);
    return this.#start(functionName, version);
  }

  /** Gives an environment back: it waits for the next call, or ends when it cannot serve one. */
  release(member: Member): void {
    if (!member.environment.alive || this.#retired.has(member.revisionId)) {
      member.environment.kill();
      return;
    }
    const idle: IdleMember = {
      ...member,
      cancelReaping: this.#context.clock.schedule(this.#context.clock.now() + this.#limits.idleMs, () =>
        this.#reap(idle),
      ),
    };
    this.#idle.push(idle);
  }

  /** No call starts on this revision any more; running ones end normally. */
  retire(revisionId: string): void {
    this.#retired.add(revisionId);
    for (const member of this.#idle.filter((idle) => idle.revisionId === revisionId)) this.#reap(member);
  }

  /** Kills every environment and waits until all are gone. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const member of this.#idle) member.cancelReaping();
    const members = [...this.#all];
    for (const member of members) member.environment.kill();
    await Promise.all(members.map((member) => member.environment.exited));
    this.#reaper.close();
    rmSync(this.#temporary, { recursive: true, force: true });
  }

  #reap(member: IdleMember): void {
    const index = this.#idle.indexOf(member);
    if (index >= 0) this.#idle.splice(index, 1);
    member.cancelReaping();
    member.environment.kill();
  }

  #start(functionName: string, version: FunctionVersion): Member {
    const id = randomUUID().replaceAll('-', '');
    const temporaryFolder = join(this.#temporary, id);
    mkdirSync(temporaryFolder, { recursive: true });
    const day = new Date(this.#context.clock.now()).toISOString().slice(0, 10).replaceAll('-', '/');
    const logStream = `${day}/[${version.version}]${id}`;
    const log = new FunctionLog(this.#logs, version.logging, logStream, () => this.#context.clock.now());
    log.initStart(version.runtime);
    const environment = new Environment({
      logStream,
      workingFolder: version.code.folder,
      variables: environmentVariables({
        functionName,
        version,
        region: this.#context.region,
        endpoint: this.#context.endpoint(),
        logStream,
        temporaryFolder,
      }),
      nodeOptions: nodeOptions(version),
    });
    environment.onLog = (line) => log.write(line);
    const member: Member = { environment, log, revisionId: version.revisionId };
    this.#all.add(member);
    const { pid } = environment;
    if (pid !== undefined) this.#reaper.guard(pid);
    environment.exited.then(() => {
      this.#all.delete(member);
      if (pid !== undefined) this.#reaper.release(pid);
      rm(temporaryFolder, { recursive: true, force: true }).catch(() => {});
    });
    return member;
  }
}
