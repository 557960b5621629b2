import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { PutCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { engineResources, type Worker } from '../../../functions/pipelines/workers/run-step/attempt.ts';
import { LocalCloud } from '../../../packages/local-cloud/index.ts';
import type { SourceSettings } from '../../../shared/data/connectors/source-types.ts';
import { type Engine, openEngine } from '../../../shared/data/duckdb/engine.ts';
import { guardedOptions } from '../../../shared/data/duckdb/guarded-engine.ts';
import { warmPool } from '../../../shared/data/duckdb/warm-pool.ts';
import { DEFAULT_COMPUTE, type StepCompute } from '../../../shared/domains/pipelines/definition/compute.ts';
import type { Concurrency, Dag } from '../../../shared/domains/pipelines/definition/dag.ts';
import { checkAllowance } from '../../../shared/domains/pipelines/runs/allowance.ts';
import { createRun } from '../../../shared/domains/pipelines/runs/create-run.ts';
import type { RunRequest } from '../../../shared/domains/pipelines/runs/new-run.ts';
import { repairRun } from '../../../shared/domains/pipelines/runs/repair-run.ts';
import { dagStore } from '../../../shared/domains/pipelines/store/dag-store.ts';
import {
  executionOf,
  type Launcher,
  type RunJob,
  type StepJob,
} from '../../../shared/domains/pipelines/store/launcher.ts';
import type { StoredPipeline } from '../../../shared/domains/pipelines/store/pipeline-record.ts';
import { pipelineRepository } from '../../../shared/domains/pipelines/store/pipeline-store.ts';
import type { StoredRun } from '../../../shared/domains/pipelines/store/run-record.ts';
import { type RunContext, readSteps, runRepository } from '../../../shared/domains/pipelines/store/run-store.ts';
import { isOver, type StoredStep } from '../../../shared/domains/pipelines/store/step-record.ts';
import { slotIdOf } from '../../../shared/domains/pipelines/store/step-slots.ts';
import type { WorkMessage } from '../../../shared/domains/pipelines/store/work-queue.ts';
import { rightsDeps } from '../../../shared/domains/semantics/row-rights/index.ts';
import { workspaceRecordKey } from '../../../shared/domains/tenancy/workspaces/keys.ts';
import { readManifest } from '../../../shared/domains/warehouse/datasets/manifests.ts';
import type { Dataset } from '../../../shared/domains/warehouse/datasets/record.ts';
import { datasetRepository } from '../../../shared/domains/warehouse/datasets/repository.ts';
import { uploadKey } from '../../../shared/domains/warehouse/sources/record.ts';
import { dataSourceRepository } from '../../../shared/domains/warehouse/sources/repository.ts';
import { MasterSecret } from '../../../shared/platform/crypto/master-secret.ts';
import { secretBox } from '../../../shared/platform/crypto/secret-box.ts';
import { planKey } from '../../../shared/platform/entitlements/entitlements.ts';
import { PRODUCTS } from '../../../shared/platform/entitlements/products.ts';
import { type Cursors, cursors } from '../../../shared/platform/http/cursor.ts';
import { createAddressGuard } from '../../../shared/platform/net/address-guard.ts';
import { ObjectCache } from '../../../shared/platform/objects/object-cache.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { type Crash, dyingAt, untilSurvived, type Write, writing } from '../../support/crash.ts';
import { createLocalTable, LOCAL_ACCESS, openCrashingTable } from '../../support/local-table.ts';
import { SmallAthena } from '../../support/small-athena.ts';
import { driveRun } from './played-run.ts';
import { driveStep } from './played-step.ts';
import type { Playing } from './playing.ts';

/**
 * Pipelines on the real table and bucket, with the real state machines played in this process: what is to be started
 * waits in `jobs` until `drain` does it, so that a test decides what is lost, repeated or killed.
 */
export class RunSetup {
  readonly workspaceId = newId();
  readonly worker: Worker;
  readonly cursors: Cursors;
  readonly context: RunContext;
  readonly jobs: ({ kind: 'run'; job: RunJob } | { kind: 'step'; job: StepJob; execution: string })[] = [];
  /** Executions of the step machine that are at work, with their runs, and how many they were at the most. */
  readonly open = new Map<string, string>();
  mostOpen = { run: 0, workspace: 0 };
  /** What steps were handed on to. */
  readonly moved: StepCompute[] = [];
  /** The tokens that executions await. */
  readonly awaited = new Map<string, Playing>();
  /** What the work queue holds. */
  readonly messages: WorkMessage[] = [];
  /** For how many seconds each of them was to be held back. */
  readonly delays: number[] = [];
  /** Failures that only the platform causes. */
  readonly reported: Error[] = [];
  readonly #cloud: LocalCloud;
  readonly #folder: string;
  readonly #names = new Set<string>();
  #reader: Engine | undefined;
  #lastRead: Promise<unknown> = Promise.resolve();
  /** Set to make the execution setup refuse. */
  refuses = false;
  /** Whether the service starts a container now. */
  hasContainers = () => true;
  atWorkInContainers = 0;
  /** Whether the next container dies before it does anything. */
  containerDies: () => Promise<boolean> = async () => false;
  /** Set to lose the executions of steps that are started. */
  losesSteps = false;
  /** How far the setup's clock is ahead. */
  aheadMs = 0;
  /** The error of the clock until a reply of the table corrects it. */
  skewMs = () => 0;
  crash: Crash = () => undefined;
  /** Where steps move that are for Athena. */
  athena: SmallAthena | undefined;
  /** What the machine received while Athena worked. */
  readonly holds: string[] = [];
  /**
   * Who notices that a step's worker died: its machine, the service that repeats the invocation, or only the minute
   * tick.
   */
  notices: 'machine' | 'service' | 'tick' = 'machine';

  private constructor(cloud: LocalCloud, folder: string) {
    this.#cloud = cloud;
    this.#folder = folder;
    const s3 = new S3Client({ endpoint: cloud.endpoint, forcePathStyle: true, ...LOCAL_ACCESS });
    const objects = objectStore('data', s3);
    s3.middlewareStack.add(
      dyingAt((write) => this.crash(write)),
      { step: 'initialize' },
    );
    const clocked = this.#onMachine(0);
    const { table } = clocked;
    this.context = {
      ...clocked,
      dags: dagStore(table, objects),
      queue: {
        send: async (sent) => {
          this.messages.push(...sent.map(({ message }) => message));
          this.delays.push(...sent.map(({ delaySeconds }) => delaySeconds));
        },
      },
      launcher: this.#launcher(),
      random: () => 0,
    };
    const scratchDir = join(folder, 'scratch');
    mkdirSync(scratchDir, { recursive: true });
    const secret = randomBytes(32);
    const master = new MasterSecret(async () => ({ version: 1, secret }));
    this.cursors = cursors(master);
    this.worker = {
      context: this.context,
      objects,
      cache: new ObjectCache({ s3, bucket: 'data', folder: join(folder, 'objects'), maxBytes: 1e9 }),
      secrets: secretBox(master),
      copies: rightsDeps(table, () => this.context.now()),
      guard: createAddressGuard({ allowedPrivateCidrs: ['127.0.0.0/8'] }),
      schemes: ['https', 'http'],
      scratchDir,
      engines: warmPool(guardedOptions(engineResources({ scratchDir }))),
      compute: DEFAULT_COMPUTE,
      extra: new Set(),
      checkAllowance: (workspaceId) => checkAllowance(table, workspaceId, this.context.now()),
      endStep: (taskToken, answer) =>
        writing(this.crash, { command: 'EndStep', input: { taskToken } }, async () => {
          this.awaited.get(taskToken)?.end(taskToken, answer);
          this.awaited.delete(taskToken);
        }),
      report: (error) => this.reported.push(error),
      // The process is the test's own; on a busy machine work may take its time to stop.
      endProcess: () => undefined,
    };
  }

  static async open(): Promise<RunSetup> {
    const folder = mkdtempSync(join(tmpdir(), 'runs-'));
    const cloud = await LocalCloud.open({ dataDir: join(folder, 'cloud'), port: 0 });
    await createLocalTable(cloud);
    const s3 = new S3Client({ endpoint: cloud.endpoint, forcePathStyle: true, ...LOCAL_ACCESS });
    await s3.send(new CreateBucketCommand({ Bucket: 'data' }));
    const VersioningConfiguration = { Status: 'Enabled' } as const;
    await s3.send(new PutBucketVersioningCommand({ Bucket: 'data', VersioningConfiguration }));
    const setup = new RunSetup(cloud, folder);
    await setup.#license();
    return setup;
  }

  /** The workspace belongs to a company whose plans include everything. */
  async #license(): Promise<void> {
    const { table } = this.context;
    const companyId = newId();
    const put = (Item: Record<string, unknown>) => table.db.send(new PutCommand({ TableName: table.name, Item }));
    await put({ ...workspaceRecordKey(this.workspaceId), id: this.workspaceId, companyId });
    for (const product of PRODUCTS) {
      const plan = { product, planKey: 'all', overageOptIn: false, draft: false, allowance: null };
      await put({ ...planKey(companyId, product), ...plan });
    }
  }

  /** A client of the table and the time, on a machine whose clock is so far off. */
  #onMachine(skewMs: number): Pick<RunContext, 'table' | 'now'> {
    const crash = (write: Write) => this.#writes(write);
    const table = openCrashingTable(this.#cloud, crash, () => Date.now() + skewMs);
    return { table, now: () => new Date(table.now().getTime() + this.aheadMs + this.skewMs()) };
  }

  /** The setup as it is worked on by a machine whose clock is so far off. */
  withSkew(skewMs: number): RunSetup {
    const context = { ...this.context, ...this.#onMachine(skewMs) };
    const ahead = {
      get: () => this.aheadMs,
      set: (ms: number) => {
        this.aheadMs = ms;
      },
    };
    return Object.create(this, {
      context: { value: context },
      worker: { value: { ...this.worker, context } },
      aheadMs: ahead,
    });
  }

  /** Turns Athena on for steps that read more than `fromBytes`. */
  async openAthena(fromBytes: number): Promise<void> {
    this.athena = await SmallAthena.open(this.worker.objects, this.worker.scratchDir);
    this.worker.athena = { database: 'steps', bucket: 'data', fromBytes };
  }

  async close(): Promise<void> {
    await this.athena?.close();
    await this.#reader?.close();
    await this.worker.engines?.close();
    await this.#cloud.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** An execution that gives its slot back is done with its work. */
  #writes(write: Write): ReturnType<Crash> {
    const { ConditionExpression: condition, ExpressionAttributeNames: names } =
      write.input as Partial<UpdateCommandInput>;
    if (condition === 'attribute_exists(#held)') {
      for (const execution of this.open.keys()) if (slotIdOf(execution) === names?.['#id']) this.open.delete(execution);
    }
    return this.crash(write);
  }

  /** A name starts one execution, as with Step Functions. */
  #launcher(): Launcher {
    const once = (name: string, input: object, start: () => void) =>
      writing(this.crash, { command: 'StartExecution', input }, async () => {
        if (this.refuses) throw new Error('the execution setup does not answer');
        if (this.#names.has(name)) return;
        this.#names.add(name);
        start();
      });
    return {
      startRun: async (job, again = '') =>
        once(`${job.runId}-${job.epoch}-${again}`, job, () => this.jobs.push({ kind: 'run', job })),
      startStep: async (job, again) => {
        const execution = executionOf(job, again);
        await once(execution, job, () => {
          if (this.losesSteps) return;
          this.jobs.push({ kind: 'step', job, execution });
          this.open.set(execution, job.runId);
          this.mostOpen.workspace = Math.max(this.mostOpen.workspace, this.open.size);
          const ofRun = [...this.open.values()].filter((runId) => runId === job.runId).length;
          this.mostOpen.run = Math.max(this.mostOpen.run, ofRun);
        });
      },
    };
  }

  /**
   * Does everything that was started, and what is started by it, as the machines would: a start that dies is repeated,
   * and given up at last, a step whose worker dies is recovered. `mayContinue` lets a worker follow a chain of steps.
   */
  async drain(options: { mayContinue?: boolean } = {}): Promise<void> {
    for (let next = this.jobs.shift(); next; next = this.jobs.shift()) {
      if (next.kind === 'run') {
        await driveRun(this, next.job);
      } else {
        await driveStep(this, next.job, next.execution, options.mayContinue ?? true);
        this.open.delete(next.execution);
      }
    }
  }

  /** Does what was started, and what the tick does for a run without progress, until the run has ended. */
  async untilOver(runId: string, options: { mayContinue?: boolean } = {}): Promise<StoredRun> {
    await this.drain(options);
    for (let minute = 0; minute < 15 && !isOver((await this.stored(runId)).status); minute++) {
      this.aheadMs += 61_000;
      await untilSurvived(() => repairRun(this.context, { workspaceId: this.workspaceId, runId }));
      await this.drain(options);
    }
    return this.stored(runId);
  }

  async pipeline(dag: Dag, concurrency: Partial<Concurrency> = {}): Promise<StoredPipeline> {
    const at = new Date().toISOString();
    return pipelineRepository(this.context.table).create({
      id: newId(),
      workspaceId: this.workspaceId,
      name: `pipeline ${newId()}`,
      status: 'active',
      dagVersion: 1,
      dagHash: await this.context.dags.put(this.workspaceId, dag),
      schedule: null,
      concurrency: { maxConcurrentRuns: 1, onOverlap: 'skip', ...concurrency },
      compute: null,
      createdBy: newId(),
      createdAt: at,
      updatedAt: at,
      revision: 1,
    });
  }

  run(pipeline: StoredPipeline, more: Partial<RunRequest> = {}): Promise<StoredRun> {
    return createRun(this.context, {
      workspaceId: this.workspaceId,
      pipelineId: pipeline.id,
      runId: newId(),
      trigger: { kind: 'manual', scheduledAt: null, upstreamRunId: null, actor: null },
      parameters: {},
      ...more,
    });
  }

  async stored(runId: string): Promise<StoredRun> {
    return (await runRepository(this.context.table).get(this.workspaceId, runId))!;
  }

  async steps(runId: string): Promise<StoredStep[]> {
    return (await readSteps(this.context.table, this.workspaceId, runId)).filter((step) => step.kind === 'step');
  }

  async source(type: SourceSettings['type'], config: object, secrets: object = {}): Promise<string> {
    const [id, at] = [newId(), new Date().toISOString()];
    await dataSourceRepository(this.context.table).create({
      id,
      workspaceId: this.workspaceId,
      name: `source ${id}`,
      type,
      config: config as never,
      sealedSecrets: await this.worker.secrets.seal(this.workspaceId, JSON.stringify(secrets)),
      schedule: null,
      createdBy: newId(),
      createdAt: at,
      updatedAt: at,
      revision: 1,
    });
    return id;
  }

  /** A bucket of its own as a source, whose files lie below `theirs/`. */
  async bucketSource(): Promise<{ sourceId: string; s3: S3Client; bucket: string }> {
    const s3 = new S3Client({ endpoint: this.#cloud.endpoint, forcePathStyle: true, ...LOCAL_ACCESS });
    const bucket = `theirs-${newId()}`;
    await s3.send(new CreateBucketCommand({ Bucket: bucket }));
    const config = { bucket, prefix: 'theirs/', region: 'us-east-1', endpoint: this.#cloud.endpoint };
    return { sourceId: await this.source('s3', config, LOCAL_ACCESS.credentials), s3, bucket };
  }

  place(runId: string): { workspaceId: string; runId: string } {
    return { workspaceId: this.workspaceId, runId };
  }

  dataset(name: string): Promise<Dataset | undefined> {
    return datasetRepository(this.context.table).find(this.workspaceId, name);
  }

  /** Rows of a dataset, in the order of their values by default; undefined when there is no such dataset. */
  rows(name: string, columns = '*', order = 'ALL'): Promise<unknown[][] | undefined> {
    // The engine runs one call at a time.
    const read = this.#lastRead.then(() => this.#readRows(name, columns, order));
    this.#lastRead = read.catch(() => undefined);
    return read;
  }

  async #readRows(name: string, columns: string, order: string): Promise<unknown[][] | undefined> {
    const dataset = await this.dataset(name);
    if (!dataset) return undefined;
    const { objects, cache, scratchDir } = this.worker;
    const manifest = await readManifest(this.context.table, objects, dataset);
    this.#reader ??= await openEngine({ memoryLimitMb: 500, threads: 1, tempDir: scratchDir });
    const table = newId();
    await this.#reader.attach(table, await cache.fetchAll(manifest?.files ?? []), { emptySchema: dataset.columns });
    return this.#reader.run(`SELECT ${columns} FROM "${table}" ORDER BY ${order}`);
  }

  /** A source with files of the given contents. */
  async fileSource(files: Record<string, string | Buffer>): Promise<string> {
    const id = await this.source('file', {});
    for (const [path, content] of Object.entries(files)) await this.putFile(id, path, content);
    return id;
  }

  putFile(sourceId: string, path: string, content: string | Buffer): Promise<void> {
    return this.worker.objects.write(
      uploadKey(this.workspaceId, sourceId, path),
      Buffer.from(content),
      'application/octet-stream',
    );
  }
}
