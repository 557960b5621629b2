import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isAllowed } from '../../../core/access/authorizer.ts';
import type { Credentials } from '../../../core/access/credentials.ts';
import { sessionOf } from '../../../core/access/principal.ts';
import { AwsError } from '../../../core/aws-error.ts';
import { Reaper } from '../../../core/reaper.ts';
import type { CloudContext } from '../../../core/service.ts';
import { writeLog } from '../../../iam/requests/logs.ts';
import type { FunctionVersion } from '../model.ts';
import { Environment, type ExecutionEnvironment } from './environment.ts';
import { expectedMb } from './expected-memory.ts';
import { FunctionLog, type LogSink } from './function-log.ts';
import { type FunctionHost, HostedEnvironment } from './hosted-environment.ts';
import type { KillReason } from './outcome.ts';
import { Patience } from './patience.ts';
import { environmentVariables, nodeOptions } from './variables.ts';

/** An environment and its lifelong properties. */
export interface Member {
  environment: ExecutionEnvironment;
  log: FunctionLog;
  revisionId: string;
  /** When its credentials are too old for another call, in epoch milliseconds. */
  retiresAt: number;
  /** When the current call took it, on a monotonic clock. */
  takenAt: number;
  /** Why it was killed before its handler was loaded, if it was. */
  killed?: KillReason;
}

interface IdleMember extends Member {
  cancelReaping: () => void;
}

/** A call waiting for an environment. */
interface Waiting {
  functionName: string;
  version: FunctionVersion;
  takesProcessor: boolean;
  since: number;
  serve(member: Member): void;
  reject(cause: Error): void;
}

/** Time allowed for loading the handler beyond the function's own timeout. */
const INIT_LIMIT_MS = 10_000;

/** The output of a function whose role may not write to its log is lost, as on AWS. */
const NO_LOG: LogSink = { append: () => {} };

/** Longest call, which needs valid credentials until its end. */
const MAX_CALL_MS = 15 * 60_000;

/** Compiled code of former versions of functions is not removed by itself. */
const MAX_COMPILED_BYTES = 256 * 1024 * 1024;

const PROCESSORS = availableParallelism();

/** The memory at which Lambda provides one full processor. */
const MB_PER_PROCESSOR = 1769;

/** Handlers that load at once: more would only slow down each other and running calls. */
const MAX_LOADING = Math.max(4, 2 * PROCESSORS);

/**
 * All execution environments. For each revision, the most recently used idle environment is taken first, so that others
 * age and are reaped. A call without an idle one starts one, at once or after waiting, and takes whichever comes first:
 * the new one, or one that another call releases.
 */
export class Fleet {
  readonly #context: CloudContext;
  readonly #logs: LogSink;
  readonly #credentials: Credentials;
  readonly #host: FunctionHost | undefined;
  readonly #limits: { memoryMb: number; idleMs: number };
  readonly #temporary: string;
  readonly #compiled: string;
  /** Oldest first. */
  readonly #idle: IdleMember[] = [];
  readonly #all = new Set<Member>();
  #takenMb = 0;
  readonly #loading = new Set<Member>();
  /** Longest waiting first. */
  readonly #waiting: Waiting[] = [];
  readonly #patience = new Patience(PROCESSORS);
  #patienceEnds: NodeJS.Timeout | undefined;
  readonly #retired = new Set<string>();
  readonly #reaper = new Reaper();
  #closed = false;

  constructor(
    context: CloudContext,
    ports: { logs: LogSink; credentials: Credentials; host?: FunctionHost | undefined },
    limits: { memoryMb: number; idleMs: number },
  ) {
    this.#context = context;
    this.#logs = ports.logs;
    this.#credentials = ports.credentials;
    this.#host = ports.host;
    this.#limits = limits;
    this.#temporary = join(context.dataDir, 'tmp');
    this.#compiled = join(context.dataDir, 'compiled');
    rmSync(this.#temporary, { recursive: true, force: true });
    // Code that was compiled before the last stop is valid while the code and Node are the same, which Node checks.
    if (sizeOf(this.#compiled) > MAX_COMPILED_BYTES) rmSync(this.#compiled, { recursive: true, force: true });
  }

  /**
   * Returns an environment of this revision for one call. One whose handler failed to load is returned too, because its
   * call reports why. `isAwaited` says that another function or a client waits for the reply. Throws `ServiceException`
   * if the service closes.
   */
  async take(functionName: string, version: FunctionVersion, { isAwaited = false } = {}): Promise<Member> {
    if (this.#closed) throw closing();
    const takesProcessor = isAwaited && version.memorySizeMb >= MB_PER_PROCESSOR;
    const member = this.#takeIdle(version) ?? (await this.#wait({ functionName, version, takesProcessor }));
    member.takenAt = performance.now();
    return member;
  }

  /** Releases an environment: it serves a waiting call, becomes idle, or ends if it can serve none. */
  release(member: Member): void {
    const now = performance.now();
    if (this.#mayServe(member)) this.#patience.returned(member.revisionId, now - member.takenAt, now);
    this.#place(member);
  }

  /** Starts no more calls on this revision; running ones end normally. */
  retire(revisionId: string): void {
    this.#retired.add(revisionId);
    this.#patience.forget(revisionId);
    for (const member of this.#idle.filter((idle) => idle.revisionId === revisionId)) this.#reap(member);
  }

  /** Kills all environments and waits for their end. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#patienceEnds);
    for (const { reject } of this.#waiting.splice(0)) reject(closing());
    for (const member of this.#idle) member.cancelReaping();
    const members = [...this.#all];
    for (const member of members) member.environment.kill();
    await Promise.all(members.map((member) => member.environment.exited));
    this.#reaper.close();
    rmSync(this.#temporary, { recursive: true, force: true });
  }

  #place(member: Member): void {
    if (!this.#mayServe(member)) {
      member.environment.kill();
      this.#startNeeded();
      return;
    }
    const next = this.#nextFor(member);
    if (next) next.serve(member);
    else this.#rest(member);
  }

  #mayServe(member: Member): boolean {
    return !this.#closed && isUsable(member) && !this.#retired.has(member.revisionId);
  }

  #takeIdle({ revisionId }: FunctionVersion): Member | undefined {
    for (let index = this.#idle.length - 1; index >= 0; index -= 1) {
      const member = this.#idle[index] as IdleMember;
      if (member.revisionId !== revisionId) continue;
      this.#idle.splice(index, 1);
      member.cancelReaping();
      if (isUsable(member)) return member;
      member.environment.kill();
    }
    return undefined;
  }

  #wait(call: Pick<Waiting, 'functionName' | 'version' | 'takesProcessor'>): Promise<Member> {
    const { promise, resolve, reject } = Promise.withResolvers<Member>();
    this.#waiting.push({ ...call, since: performance.now(), serve: resolve, reject });
    this.#startNeeded();
    return promise;
  }

  /** Removes the longest waiting call for this revision from the queue. */
  #nextFor({ revisionId }: Member): Waiting | undefined {
    const index = this.#waiting.findIndex(({ version }) => version.revisionId === revisionId);
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  /**
   * Starts an environment for every waiting call except those that loading ones will serve and those that still wait
   * for a busy one, up to the loading limits: of all handlers, and of one, whose first calls show how many are needed.
   */
  #startNeeded(): void {
    if (this.#closed) return;
    const now = performance.now();
    const loading = Map.groupBy(this.#loading, ({ revisionId }) => revisionId);
    let soonestMs = Number.POSITIVE_INFINITY;
    clearTimeout(this.#patienceEnds);
    for (const { functionName, version, takesProcessor, since } of this.#waiting) {
      if (this.#loading.size >= MAX_LOADING) return;
      if (loading.get(version.revisionId)?.pop()) continue;
      if (this.#loadingOf(version) >= PROCESSORS) continue;
      const environments = this.#environmentsOf(version);
      const isBusy = environments.some((member) => !this.#loading.has(member));
      const leftMs = isBusy
        ? this.#patience.leftMs(version.revisionId, environments.length, since, now, takesProcessor)
        : 0;
      if (leftMs > 0) {
        soonestMs = Math.min(soonestMs, leftMs);
        continue;
      }
      // Idle environments of other functions make way: only running ones count as load.
      const oldest = this.#idle[0];
      if (oldest && this.#takenMb >= this.#limits.memoryMb) this.#reap(oldest);
      this.#patience.starting(version.revisionId, now);
      void this.#load(this.#start(functionName, version), version);
    }
    if (soonestMs < Number.POSITIVE_INFINITY) {
      this.#patienceEnds = setTimeout(() => this.#startNeeded(), Math.ceil(soonestMs));
    }
  }

  #loadingOf({ revisionId }: FunctionVersion): number {
    let count = 0;
    for (const member of this.#loading) if (member.revisionId === revisionId) count += 1;
    return count;
  }

  #environmentsOf({ revisionId }: FunctionVersion): Member[] {
    return [...this.#all].filter((member) => member.revisionId === revisionId && member.environment.alive);
  }

  /** Assigns the environment as soon as its handler is loaded; a failed one goes to the waiting call. */
  async #load(member: Member, { timeoutSeconds }: FunctionVersion): Promise<void> {
    this.#loading.add(member);
    const { clock } = this.#context;
    const cancel = clock.schedule(clock.now() + INIT_LIMIT_MS + timeoutSeconds * 1000, () => {
      member.killed = 'timeout';
      member.environment.kill();
    });
    const startedAt = performance.now();
    const ending = await member.environment.loaded;
    const now = performance.now();
    this.#patience.started(member.revisionId, now - startedAt, now);
    cancel();
    this.#loading.delete(member);
    const isSound = ending.kind === 'answered' && !ending.error;
    const next = this.#closed ? undefined : this.#nextFor(member);
    if (next) next.serve(member);
    else if (isSound) this.#place(member);
    else member.environment.kill();
    this.#startNeeded();
  }

  #rest(member: Member): void {
    const idle: IdleMember = {
      ...member,
      cancelReaping: this.#context.clock.schedule(this.#context.clock.now() + this.#limits.idleMs, () =>
        this.#reap(idle),
      ),
    };
    this.#idle.push(idle);
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
    const caller = sessionOf(version.role, functionName);
    const mayWrite = isAllowed(
      this.#context.authorizer,
      caller,
      writeLog(version.logging.LogGroup, logStream, this.#context),
    );
    const sink = mayWrite ? this.#logs : NO_LOG;
    const log = new FunctionLog(sink, version.logging, logStream, () => this.#context.clock.now());
    log.initStart(version.runtime);
    const credentials = this.#credentials.issue(version.role, functionName);
    const variables = environmentVariables({
      functionName,
      version,
      credentials,
      region: this.#context.region,
      endpoint: this.#context.endpoint(),
      logStream,
      temporaryFolder,
    });
    const hosted = this.#host && HostedEnvironment.open(this.#host, { functionName, variables, logStream });
    const environment =
      hosted ??
      new Environment({
        logStream,
        workingFolder: version.code.folder,
        variables,
        nodeOptions: nodeOptions(version),
        compiledFolder: this.#compiled,
      });
    environment.onLog = (line) => log.write(line);
    const retiresAt = credentials.expiresAt - MAX_CALL_MS;
    const member: Member = { environment, log, revisionId: version.revisionId, retiresAt, takenAt: 0 };
    this.#all.add(member);
    const expected = hosted ? 0 : expectedMb(version.memorySizeMb);
    this.#takenMb += expected;
    const { pid } = environment;
    if (pid !== undefined) this.#reaper.guard(pid);
    environment.exited.then(() => {
      this.#all.delete(member);
      this.#takenMb -= expected;
      if (pid !== undefined) this.#reaper.release(pid);
      rm(temporaryFolder, { recursive: true, force: true }).catch(() => {});
    });
    return member;
  }
}

/** The credentials' end is a time of the machine, whatever clock the cloud runs on. */
function isUsable({ environment, retiresAt }: Member): boolean {
  return environment.alive && Date.now() < retiresAt;
}

function closing(): AwsError {
  return new AwsError('ServiceException', 'The service is closing.', { status: 500 });
}

/** The size of the files in a folder and below it; 0 if there is none. */
function sizeOf(folder: string): number {
  try {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  } catch {
    return 0;
  }
}
