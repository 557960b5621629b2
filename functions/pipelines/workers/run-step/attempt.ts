import { totalmem } from 'node:os';
import type { Engine } from '../../../../shared/data/duckdb/engine.ts';
import type { EngineResources } from '../../../../shared/data/duckdb/guarded-engine.ts';
import type { EngineUse, WarmPool } from '../../../../shared/data/duckdb/warm-pool.ts';
import type {
  Dag,
  ExtraEngine,
  Node,
  Plan,
  ReferenceValues,
  Step,
  StepCompute,
  StepErrorCode,
} from '../../../../shared/domains/pipelines/definition/index.ts';
import type { StepResult } from '../../../../shared/domains/pipelines/runs/index.ts';
import type {
  LogLevel,
  RunContext,
  StepError,
  StepOutput,
  StoredRun,
  StoredStep,
} from '../../../../shared/domains/pipelines/store/index.ts';
import type { BatchFile } from '../../../../shared/domains/pipelines/triggers/index.ts';
import type { CopyDeps } from '../../../../shared/domains/semantics/row-rights/index.ts';
import type { SecretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import type { DataError } from '../../../../shared/platform/errors/data-error.ts';
import type { AddressGuard, Scheme } from '../../../../shared/platform/net/address-guard.ts';
import type { ObjectCache } from '../../../../shared/platform/objects/object-cache.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';
import type { EndStep } from './end-step.ts';
import type { Fusion } from './fusion.ts';

/** Memory of the function, or of the container, but at most that of its machine. */
export const MEMORY_MB = Number(
  process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE ??
    Math.min(Number(process.env.TASK_MEMORY_MB ?? 4096), Math.floor(totalmem() / 1024 / 1024)),
);

/** Size of the disk. */
export const SCRATCH_MB = Number(process.env.SCRATCH_MB ?? 8192);

/** The dependencies of a worker. */
export interface Worker {
  context: RunContext;
  objects: ObjectStore;
  cache: ObjectCache;
  secrets: SecretBox;
  /** Decides whether a definition may copy what its extracts read. */
  copies: CopyDeps;
  /** How connections to sources are checked. */
  guard: AddressGuard;
  schemes: readonly Scheme[];
  scratchDir: string;
  /** Keeps engines for the next step of a run, and opens them ahead; without it, each step opens its own. */
  engines?: WarmPool;
  /** How long a light step takes at most, and its end may wait to be stored; a second by default. */
  lightMs?: number;
  /** What this worker runs on. */
  compute: StepCompute;
  /** Engines that the deployment has for steps besides functions. */
  extra: ReadonlySet<ExtraEngine>;
  /** The database and bucket of Athena, and the input size from which steps move there; absent when disabled. */
  athena?: { database: string; bucket: string; fromBytes: number };
  /** Throws `ALLOWANCE_EXHAUSTED`; the usage may be some seconds old. */
  checkAllowance(workspaceId: string): Promise<void>;
  endStep: EndStep;
  /** Reports an internal error to the operator; the author of the pipeline does not see its details. */
  report(error: Error): void;
  /** Kills the process, for work that cannot be stopped in another way. */
  endProcess(): void;
}

/** One attempt of one step, as the code of its type sees it. */
export interface Attempt {
  worker: Worker;
  run: StoredRun;
  dag: Dag;
  plan: Plan;
  step: Step;
  node: Node;
  stored: StoredStep;
  /** Where it stores its files. No other worker writes there, even one that makes the same attempt. */
  prefix: string;
  /** The rows of each input, by alias: one output per upstream item. */
  inputs: Record<string, StepOutput[]>;
  values: ReferenceValues;
  /** The files that started the run. */
  arrived: readonly BatchFile[];
  fusion: Fusion;
  engine: Engine;
  /** Aborted when the attempt is cancelled, has lost its lease or has timed out. */
  signal: AbortSignal;
  /** Ends the process because of an engine that cannot be stopped. */
  die(reason: DataError): void;
  log(level: LogLevel, message: string): void;
  /** Masks a text from now on in the log, in errors and in gate results including their samples. */
  hide(secret: string): void;
  /** Masks a text that is not secret by itself everywhere but in samples. */
  hideFromLog(text: string): void;
}

/** The log of an attempt that succeeded. */
export interface AttemptLog {
  /** A short log, to be kept with the step when the attempt is settled. */
  text: string | undefined;
  /** Stores such a log after all, because the attempt could not be settled. */
  store(): Promise<void>;
}

export type RunStepType = (attempt: Attempt) => Promise<StepResult>;

/** A failure of a step whose message its author sees. */
export class StepFailure extends Error {
  readonly code: StepErrorCode;

  constructor(code: StepErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StepFailure';
    this.code = code;
  }

  toJSON(): StepError {
    return { code: this.code, message: this.message };
  }
}

/** For a worker whose lease has expired: another worker may have taken over the step. */
export const lostAttempt = (): StepFailure =>
  new StepFailure('CANCELLED', 'The attempt was abandoned because its worker did not respond in time.');

/** What an engine of a step may use. With `use`, the engine may go on to another step of the run. */
export function engineResources(
  { scratchDir, engines }: Pick<Worker, 'scratchDir' | 'engines'>,
  use?: EngineUse,
): EngineResources {
  return { memoryMb: MEMORY_MB, tempDir: scratchDir, scratchMb: SCRATCH_MB, engines, use };
}

/** The use of an engine that is locked before the author's text runs. */
export const lockedFor = (run: StoredRun, isLight = false): EngineUse => ({
  owner: ownerOf(run),
  locks: true,
  isLight,
});

/** The use of an engine that reaches files by their paths. */
export const unlockedFor = (run: StoredRun): EngineUse => ({ owner: ownerOf(run), locks: false });

const ownerOf = ({ workspaceId, id }: StoredRun) => `${workspaceId}/${id}`;
