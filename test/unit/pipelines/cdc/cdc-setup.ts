import { afterAll, beforeAll } from 'vitest';
import { openEngine } from '../../../../shared/data/duckdb/engine.ts';
import { type CaptureContext, captureTurn } from '../../../../shared/domains/pipelines/cdc/capture-stream.ts';
import { type Batch, changeLog } from '../../../../shared/domains/pipelines/cdc/change-log.ts';
import type { ChangeReader } from '../../../../shared/domains/pipelines/cdc/change-reader.ts';
import { connectForCapture } from '../../../../shared/domains/pipelines/cdc/connect.ts';
import { type MaintenanceContext, maintainStream } from '../../../../shared/domains/pipelines/cdc/maintain-stream.ts';
import { pollingReader } from '../../../../shared/domains/pipelines/cdc/polling-reader.ts';
import { qualified, type StoredStream } from '../../../../shared/domains/pipelines/cdc/record.ts';
import { slotNameOf, streamRepository } from '../../../../shared/domains/pipelines/cdc/repository.ts';
import { captureStates, LEASE_MS } from '../../../../shared/domains/pipelines/cdc/state.ts';
import type { StoredPipeline } from '../../../../shared/domains/pipelines/store/pipeline-record.ts';
import { readManifest } from '../../../../shared/domains/warehouse/datasets/manifests.ts';
import { datasetRepository } from '../../../../shared/domains/warehouse/datasets/repository.ts';
import { dataSourceRepository } from '../../../../shared/domains/warehouse/sources/repository.ts';
import { later, newId } from '../../../../shared/platform/storage/ids.ts';
import { Crashed } from '../../../support/crash.ts';
import { startPostgres, type TestPostgres } from '../../../support/postgres.ts';
import { openTestEngine, rowsOf } from '../../data/engine/open-test-engine.ts';
import { GUARD } from '../../warehouse/sources/use-postgres.ts';
import { RunSetup } from '../run-setup.ts';

const OPTIONS = { guard: GUARD, timeouts: { connectMs: 3_000, statementMs: 60_000 } };

/** Streams of a real source, captured when the test says so, and pipelines that read them. */
export class CdcSetup {
  readonly postgres: TestPostgres;
  readonly setup: RunSetup;
  readonly context: CaptureContext;
  /** Put around the reader of the source's log. */
  wrapReader: (reader: ChangeReader) => ChangeReader = (reader) => reader;
  readonly #sources = new Map<number, string>();

  constructor(postgres: TestPostgres, setup: RunSetup) {
    this.postgres = postgres;
    this.setup = setup;
    this.context = {
      table: setup.context.table,
      objects: setup.worker.objects,
      secrets: setup.worker.secrets,
      options: OPTIONS,
      openReader: async (target, slotName) =>
        this.wrapReader(pollingReader(await connectForCapture(target, OPTIONS), slotName)),
      isContinuous: false,
      now: setup.context.now,
      report: () => {},
    };
  }

  async givenSource(port = this.postgres.port): Promise<string> {
    const known = this.#sources.get(port);
    if (known) return known;
    const { host, database, user, password } = this.postgres;
    const { workspaceId, worker, context } = this.setup;
    const at = new Date().toISOString();
    const source = await dataSourceRepository(context.table).create({
      id: newId(),
      workspaceId,
      name: newId(),
      type: 'postgres',
      schedule: null,
      config: { host, port, database, user, ssl: false },
      sealedSecrets: await worker.secrets.seal(workspaceId, JSON.stringify({ password })),
      createdBy: newId(),
      createdAt: at,
      updatedAt: at,
      revision: 1,
    });
    this.#sources.set(port, source.id);
    return source.id;
  }

  async givenStream(streamId: string, tables: string[], more: Partial<StoredStream> = {}): Promise<StoredStream> {
    const { workspaceId } = this.setup;
    const sourceId = await this.givenSource();
    const at = new Date().toISOString();
    const stream: StoredStream = {
      id: newId(),
      workspaceId,
      sourceId,
      streamId,
      tables: tables.map((name) => ({ name: qualified(name), generation: 1 })),
      slotGeneration: 1,
      slotName: slotNameOf({ workspaceId, sourceId, streamId }),
      enabled: true,
      capture: 'polling',
      walLimitBytes: 1e10,
      onWalLimit: 'alert',
      createdBy: newId(),
      createdAt: at,
      updatedAt: at,
      ...more,
    };
    const created = await streamRepository(this.context.table).create(stream, [
      captureStates(this.context.table).createItem(stream),
    ]);
    return created;
  }

  /** Changes what was asked for, as a PATCH does. */
  async ask(stream: StoredStream, changes: Partial<StoredStream>): Promise<StoredStream> {
    const streams = streamRepository(this.context.table);
    const current = (await streams.get(stream.workspaceId, stream.id))!;
    return streams.replace(current, {
      ...current,
      ...changes,
      updatedAt: later(current.updatedAt, this.context.now()),
    });
  }

  /** Turns until there is nothing more to do. */
  async capture(stream: StoredStream): Promise<string> {
    for (;;) {
      const outcome = await captureTurn(this.context, stream, new Date(Date.now() + 60_000));
      if (outcome !== 'more') return outcome;
    }
  }

  async state(stream: StoredStream) {
    return (await captureStates(this.context.table).get(stream))!;
  }

  async batches(stream: StoredStream): Promise<Batch[]> {
    const found: Batch[] = [];
    const log = changeLog(this.context.table, this.context.objects);
    for await (const batch of log.read(stream, { after: 0, upTo: 1e9 })) found.push(batch);
    return found;
  }

  /** Tends what the stream has stored; with `meanwhile` something happens between the reading and the replacing. */
  async maintain(stream: StoredStream, meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
    const { table, objects, now } = this.context;
    const { cache, scratchDir } = this.setup.worker;
    const context: MaintenanceContext = {
      table,
      objects,
      now,
      localCopies: (files) => cache.fetchAll(files.map(({ key }) => ({ key }))),
      async withEngine(work) {
        const engine = await openEngine({ memoryLimitMb: 256, threads: 2, tempDir: scratchDir });
        try {
          const result = await work(engine);
          await meanwhile();
          return result;
        } finally {
          await engine.close();
        }
      },
    };
    await maintainStream(context, stream, new Date(now().getTime() + 60_000));
  }

  /** Keys of the objects that the stream has stored. */
  async objects(stream: StoredStream): Promise<string[]> {
    return (await this.context.objects.list(`W/${stream.workspaceId}/cdc/${stream.id}/`)).map(({ key }) => key);
  }

  /** A pipeline that merges a table of a stream into a dataset. */
  async givenReader(
    stream: StoredStream,
    dataset: string,
    more: { table?: string; key?: string[]; mode?: 'full'; columns?: string[] } = {},
  ) {
    const object = { stream: stream.streamId, ...(more.table ? { table: more.table } : {}) };
    return this.setup.pipeline({
      version: 1,
      steps: [
        {
          id: 'changes',
          type: 'extract',
          config: {
            sourceId: stream.sourceId,
            object,
            mode: more.mode ?? 'incremental',
            ...(more.columns ? { columns: more.columns } : {}),
          },
          retry: { maxAttempts: 1 },
        },
        {
          id: 'keep',
          type: 'load',
          dependsOn: ['changes'],
          config: {
            target: { kind: 'dataset', name: dataset },
            mode: 'merge',
            mergeKey: more.key ?? ['id'],
            deleteColumn: '_cdc_deleted',
            // Of a table without a key, the row before an update is one that goes.
            dedupeOrderBy: [{ column: '_cdc_deleted', direction: 'asc' }],
          },
          retry: { maxAttempts: 1 },
        },
      ],
    });
  }

  async run(pipeline: StoredPipeline) {
    const { id } = await this.setup.run(pipeline);
    await this.setup.drain();
    return this.setup.stored(id);
  }

  /** The rows of a dataset, as JSON values. */
  async rows(dataset: string, sql = 'SELECT * EXCLUDE (_cdc_op, _cdc_lsn, _cdc_committed_at) FROM data ORDER BY ALL') {
    const { context, worker, workspaceId } = this.setup;
    const found = (await datasetRepository(context.table).find(workspaceId, dataset))!;
    const manifest = (await readManifest(context.table, worker.objects, found))!;
    const { engine } = await openTestEngine();
    await engine.attach('data', await worker.cache.fetchAll(manifest.files), { emptySchema: manifest.columns });
    return rowsOf(engine, sql);
  }

  /**
   * A worker that dies at its nth write, before or after it, and whose lease then runs out. Answers whether it came so
   * far.
   */
  async captureDying(stream: StoredStream, nth: number, when: 'before' | 'after'): Promise<boolean> {
    let writes = 0;
    let dead = false;
    this.setup.crash = () => {
      writes += 1;
      if (dead) return 'before';
      dead = writes === nth;
      return dead ? when : undefined;
    };
    await this.capture(stream).catch((error: unknown) => {
      if (!(error instanceof Crashed)) throw error;
    });
    this.setup.crash = () => undefined;
    this.setup.aheadMs += LEASE_MS + 1;
    return dead;
  }

  /** How the changes of a table lie in the log: what was done, with the values of its first columns. */
  async changes(stream: StoredStream, table: string): Promise<string[]> {
    const found: string[] = [];
    for (const batch of await this.batches(stream)) {
      for (const file of batch.files.filter((each) => each.table === qualified(table))) {
        const text = (await this.context.objects.read(file.key)).toString('utf8');
        for (const line of text.trimEnd().split('\n')) {
          const [, , op, , , ...values] = line.split(',');
          found.push(`${op} ${values.join(' ').replaceAll('"', '')}`.trimEnd());
        }
      }
    }
    return found;
  }
}

/** One setup for all tests of a file. */
export function useCdc(flags: string[] = []): { cdc: CdcSetup } {
  const under = {} as { cdc: CdcSetup };
  let postgres: TestPostgres;
  let setup: RunSetup;
  beforeAll(async () => {
    [postgres, setup] = await Promise.all([startPostgres(['-c', 'wal_level=logical', ...flags]), RunSetup.open()]);
    under.cdc = new CdcSetup(postgres, setup);
  });
  afterAll(async () => {
    await setup.close();
    await postgres.stop();
  });
  return under;
}
