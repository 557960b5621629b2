import { totalmem } from 'node:os';
import type { Engine } from '../../../../shared/data/duckdb/engine.ts';
import type {
  BatchFile,
  Dag,
  ExtraEngine,
  LogLevel,
  Node,
  Plan,
  ReferenceValues,
  RunContext,
  Step,
  StepCompute,
  StepError,
  StepErrorCode,
  StepOutput,
  StepResult,
  StoredRun,
  StoredStep,
} from '../../../../shared/domains/pipelines/index.ts';
import type { SecretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import type { DataError } from '../../../../shared/platform/errors/data-error.ts';
import type { ObjectCache } from '../../../../shared/platform/objects/object-cache.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';

/** Memory of the whole function, or of the container as far as its machine has so much. */
export const MEMORY_MB = Number(
  process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE ??
    Math.min(Number(process.env.TASK_MEMORY_MB ?? 4096), Math.floor(totalmem() / 1024 / 1024)),
);

/** What the function works with besides the run's storage. */
export interface Worker {
  context: RunContext;
  objects: ObjectStore;
  cache: ObjectCache;
  secrets: SecretBox;
  /** Private address ranges that connections to sources may reach. */
  allowedPrivateCidrs: readonly string[];
  scratchDir: string;
  /** What this is. */
  compute: StepCompute;
  /** What the deployment has for steps beside functions. */
  extra: ReadonlySet<ExtraEngine>;
  /** Where Athena keeps its tables and reads files, and how much a step must read to be moved there; absent where it is off. */
  athena?: { database: string; bucket: string; fromBytes: number };
  /** Throws `ALLOWANCE_EXHAUSTED`; what it knows may be some seconds old. */
  refuseBeyondAllowance(workspaceId: string): Promise<void>;
  /** Tells the operator of a failure whose reason the author of the pipeline is not shown. */
  report(error: Error): void;
  /** Ends the process at once, with all work in it: for work that cannot be stopped in another way. */
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
  /** The rows of each input, by alias: one output per item that feeds it. */
  inputs: Record<string, StepOutput[]>;
  values: ReferenceValues;
  /** The files that have started the run. */
  arrived: readonly BatchFile[];
  engine: Engine;
  /** Aborted when the attempt is cancelled, given up or out of time. */
  signal: AbortSignal;
  /** Ends the process over an engine that cannot be stopped. */
  die(reason: DataError): void;
  log(level: LogLevel, message: string): void;
  /** From now on this text is masked in the log, in errors and in what gates tell, their samples included. */
  hide(secret: string): void;
  /** The same for what is no secret by itself, and may stand in samples. */
  hideFromLog(text: string): void;
}

export type RunStepType = (attempt: Attempt) => Promise<StepResult>;

/** A failure of a step that its author should read. */
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
