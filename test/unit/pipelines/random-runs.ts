import { type Concurrency, OVERLAP_POLICIES } from '../../../shared/domains/pipelines/definition/dag.ts';
import { findDagIssues } from '../../../shared/domains/pipelines/definition/dag-issues.ts';
import { cancelRun } from '../../../shared/domains/pipelines/runs/cancel-run.ts';
import { repairRun } from '../../../shared/domains/pipelines/runs/repair-run.ts';
import { retryRun } from '../../../shared/domains/pipelines/runs/retry-run.ts';
import type { StoredPipeline } from '../../../shared/domains/pipelines/store/pipeline-record.ts';
import { isOver } from '../../../shared/domains/pipelines/store/step-record.ts';
import { slotIdOf } from '../../../shared/domains/pipelines/store/step-slots.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { type Crash, untilSurvived, type Write } from '../../support/crash.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { isAt } from './crash-points.ts';
import { driveRun } from './played-run.ts';
import { driveStep } from './played-step.ts';
import { fileText, type RandomDefinition, randomDefinition, randomParameters } from './random-definitions.ts';
import type { RunSetup } from './run-setup.ts';

export const STEP_LIMITS = { perRun: 2, perWorkspace: 3 };
const MAX_ROUNDS = 80;

export interface PlayedPipeline {
  pipeline: StoredPipeline;
  definition: RandomDefinition;
  policy: Required<Concurrency>;
  /** Of all runs that were taken, in the order of their start. */
  runIds: string[];
}

type Job = RunSetup['jobs'][number];

/** What a play may do to the runs beside letting them work. */
export interface Harm {
  deaths: number;
  /** How often the table throttles, and the execution setup does not take a call. */
  refusals: number;
  /** Whether messages come twice, late and in any order, and runs are cancelled. */
  disorder: boolean;
}
export const UNHARMED: Harm = { deaths: 0, refusals: 0, disorder: false };

/**
 * Runs of one or two random definitions, side by side and over each other, on a setup that harms them at random.
 * `watch` is asked after each step of the play. The seed gives the definitions and what is done; workers that work at
 * once take turns as they happen to.
 */
export class RandomPlay {
  readonly pipelines: PlayedPipeline[] = [];
  /** Executions that have taken a step and hold their slots, with their runs. */
  readonly #atWork = new Map<string, string>();
  readonly mostAtWork = { run: 0, workspace: 0 };
  readonly #setup: RunSetup;
  readonly #random: () => number;
  readonly #harm: Harm;
  readonly #sourceId: string;
  readonly #done: Job[] = [];
  /** Observers are not affected. */
  #isWatched = false;
  #deaths: number;
  #refusals: number;

  private constructor(setup: RunSetup, random: () => number, harm: Harm, sourceId: string) {
    this.#setup = setup;
    this.#random = random;
    this.#harm = harm;
    this.#sourceId = sourceId;
    this.#deaths = harm.deaths;
    this.#refusals = harm.refusals;
  }

  static async open(setup: RunSetup, seed: number, harm?: Harm): Promise<RandomPlay> {
    const random = seededRandom(seed);
    const below = (limit: number) => Math.floor(random() * limit);
    const drawn = { deaths: below(5), refusals: below(5), disorder: random() < 0.8 };
    const play = new RandomPlay(setup, random, harm ?? drawn, await setup.fileSource({}));
    Object.assign(setup.context, { stepLimits: STEP_LIMITS });
    setup.notices = (['machine', 'service', 'tick'] as const)[below(3)]!;
    for (let left = 1 + below(2); left > 0; left--) await play.#addPipeline(`rows ${newId()}`);
    return play;
  }

  async #addPipeline(dataset: string): Promise<void> {
    const definition = randomDefinition(this.#random, this.#sourceId, dataset);
    const issues = findDagIssues(definition.dag);
    if (issues.length > 0) throw new Error(`not a definition: ${JSON.stringify({ issues, definition })}`);
    const policy = { maxConcurrentRuns: 1 + this.#below(3), onOverlap: this.#pick(OVERLAP_POLICIES) };
    // Files of two pipelines have one name, and one content.
    for (const { path, late } of definition.files) {
      if (!late) await this.#setup.putFile(this.#sourceId, path, fileText(path));
    }
    const pipeline = await this.#setup.pipeline(definition.dag, policy);
    this.pipelines.push({ pipeline, definition, policy, runIds: [] });
  }

  /** Plays until nothing is left to be done, and then, without further harm, until every run is over. */
  async play(watch: (play: RandomPlay) => Promise<void>): Promise<void> {
    const setup = this.#setup;
    const check = async (play: RandomPlay) => {
      this.#isWatched = true;
      await watch(play);
      this.#isWatched = false;
    };
    setup.crash = (write) => this.#meets(write);
    try {
      let starts = 2 + this.#below(4);
      for (let round = 0; round < MAX_ROUNDS && (starts > 0 || setup.jobs.length > 0); round++) {
        if (starts > 0 && (setup.jobs.length === 0 || this.#random() < 0.2)) {
          await this.#start();
          starts--;
        } else await this.#round();
        await check(this);
      }
      this.#deaths = this.#refusals = 0;
      for (const runId of this.runIds()) {
        for (let minute = 0; minute < 20 && !isOver((await setup.stored(runId)).status); minute++) {
          while (setup.jobs.length > 0) {
            await this.#work(setup.jobs.shift()!);
            await check(this);
          }
          await this.#minute();
          await check(this);
        }
      }
      while (setup.jobs.length > 0) await this.#work(setup.jobs.shift()!);
    } finally {
      setup.crash = () => undefined;
      setup.notices = 'machine';
      setup.jobs.splice(0);
      setup.open.clear();
    }
  }

  runIds(): string[] {
    return this.pipelines.flatMap((played) => played.runIds);
  }

  async #round(): Promise<void> {
    const kind = this.#random();
    const runIds = this.runIds();
    if (this.#harm.disorder && kind < 0.05 && runIds.length > 0) return this.#cancel(this.#pick(runIds));
    if (this.#harm.disorder && kind < 0.1 && this.#done.length > 0) return this.#work(this.#pick(this.#done));
    if (kind < 0.16) return this.#retry();
    if (kind < 0.22) return this.#minute();
    // Several workers at once, each with whatever it gets.
    const jobs = Array.from({ length: 1 + this.#below(3) }, () => this.#nextJob()).filter((job) => job !== undefined);
    if (this.#harm.disorder && jobs.length > 0 && this.#random() < 0.1) jobs.push(jobs[0]!);
    await Promise.all(jobs.map((job) => this.#work(job)));
  }

  #nextJob(): Job | undefined {
    const { jobs } = this.#setup;
    return this.#harm.disorder ? jobs.splice(this.#below(jobs.length), 1)[0] : jobs.shift();
  }

  async #work(next: Job): Promise<void> {
    const setup = this.#setup;
    this.#done.push(next);
    if (next.kind === 'run') {
      await driveRun(setup, next.job);
      return;
    }
    await driveStep(setup, next.job, next.execution, this.#random() < 0.6);
    setup.open.delete(next.execution);
    this.#atWork.delete(next.execution);
  }

  async #start(): Promise<void> {
    const played = this.#pick(this.pipelines);
    const parameters = randomParameters(this.#random);
    // The client repeats its request for the run until there is a reply.
    const occasion = { name: `ask#${newId()}`, retentionSeconds: 3600 };
    const ask = () => this.#setup.run(played.pipeline, { runId: newId(), occasion, parameters });
    const run = await unlessRefused(untilSurvived(ask), ['RUN_OVERLAP', 'WORKER_UNAVAILABLE']);
    if (run) played.runIds.push(run.id);
  }

  async #cancel(runId: string): Promise<void> {
    const place = this.#setup.place(runId);
    await unlessRefused(
      untilSurvived(() => cancelRun(this.#setup.context, place, 'requested')),
      ['RUN_NOT_ACTIVE'],
    );
  }

  /** A failed run is retried, mostly after the files have come that it lacked. */
  async #retry(): Promise<void> {
    const setup = this.#setup;
    const runs = await Promise.all(this.runIds().map((runId) => setup.stored(runId)));
    const failed = runs.find(({ status }) => status === 'failed');
    if (!failed) return;
    if (this.#random() < 0.7) {
      for (const { path } of this.pipelines.flatMap(({ definition }) => definition.files)) {
        await setup.putFile(this.#sourceId, path, fileText(path));
      }
    }
    await unlessRefused(
      untilSurvived(() => retryRun(setup.context, setup.place(failed.id))),
      ['RUN_NOT_FAILED', 'RUN_OVERLAP', 'WORKER_UNAVAILABLE'],
    );
  }

  /** A minute passes, and the tick checks every run. */
  async #minute(): Promise<void> {
    const setup = this.#setup;
    setup.aheadMs += 61_000;
    for (const runId of this.runIds()) await untilSurvived(() => repairRun(setup.context, setup.place(runId)));
  }

  /** Asked before each write, as `Crash` is: also notes who is at work. */
  #meets(write: Write): ReturnType<Crash> {
    this.#note(write);
    if (this.#isWatched) return undefined;
    if (this.#refusals > 0 && this.#random() < 0.03) {
      this.#refusals--;
      return 'refused';
    }
    if (this.#deaths > 0 && this.#random() < 0.03) {
      this.#deaths--;
      return this.#random() < 0.5 ? 'before' : 'after';
    }
    return undefined;
  }

  #note(write: Write): void {
    if ('ConditionExpression' in write.input && write.input.ConditionExpression === 'attribute_exists(#held)') {
      const names = (write.input as { ExpressionAttributeNames?: Record<string, string> }).ExpressionAttributeNames;
      for (const execution of this.#atWork.keys()) {
        if (slotIdOf(execution) === names?.['#id']) this.#atWork.delete(execution);
      }
    }
    if (!isAt('claim', write)) return;
    const text = JSON.stringify(write.input);
    for (const [execution, runId] of this.#setup.open)
      if (text.includes(`"${execution}"`)) this.#atWork.set(execution, runId);
    const ofRun = Math.max(
      0,
      ...this.runIds().map((id) => [...this.#atWork.values()].filter((one) => one === id).length),
    );
    this.mostAtWork.run = Math.max(this.mostAtWork.run, ofRun);
    this.mostAtWork.workspace = Math.max(this.mostAtWork.workspace, this.#atWork.size);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)]!;
  }
}

/** Undefined when it is refused with one of the codes. */
async function unlessRefused<T>(asked: Promise<T>, codes: readonly string[]): Promise<T | undefined> {
  return asked.catch((error: unknown) => {
    if (error instanceof AppError && codes.includes(error.code)) return undefined;
    throw error;
  });
}
