import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkOps } from '../../../../functions/pipelines/pipeline-authoring/check-ops.ts';
import { draftOps } from '../../../../functions/pipelines/pipeline-authoring/suggestions/suggest-ops.ts';
import { checkSelect } from '../../../../shared/data/sql/select-check.ts';
import type { EngineFunction } from '../../../../shared/domains/engine/client.ts';
import type { TableInput } from '../../../../shared/domains/engine/protocol.ts';
import { generate } from '../../../../shared/platform/ai/generate.ts';
import { languageModel } from '../../../../shared/platform/ai/language-model.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { createAddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import { guardedFetch } from '../../../../shared/platform/net/guarded-fetch.ts';
import { AiProvider } from '../../../support/ai-provider.ts';
import { openTestEngine, rowsOf, temporaryDirectory } from '../engine/open-test-engine.ts';
import { TABLES, TASKS } from './suggestion-tasks.ts';

const VALUES = {
  params: {},
  run: { id: 'r', logicalDate: null, intervalStart: null, intervalEnd: null },
  forEach: {},
  trigger: {},
};

/** What the engine's function does, in this process: each statement gets an engine of its own behind the gate. */
const ENGINE: Pick<EngineFunction, 'check' | 'query'> = {
  async check(statements) {
    const { engine } = await openTestEngine();
    return Promise.all(
      statements.map(async ({ sql, tables, dialect }) => {
        if (dialect) return { ok: true as const, sql, tables, parameters: [] };
        try {
          const checked = await checkSelect(engine, sql, { tables });
          return { ok: true as const, ...checked };
        } catch (error) {
          return { ok: false as const, issues: [...(error as DataError).issues] };
        }
      }),
    );
  },
  async query({ sql, params, tables, limit, maxBytes, mayFail }) {
    const { engine } = await openTestEngine();
    try {
      const checked = await checkSelect(engine, sql, { tables: tables.map(({ name }) => name), mayFail });
      for (const { name, files, columns } of tables) {
        await engine.attach(
          name,
          files.map(({ key }) => key),
          { emptySchema: columns },
        );
      }
      await engine.lock();
      const rows = await engine.query(checked.sql, { params: params as never, limit, maxBytes });
      return { ...rows, tables: checked.tables, readBytes: 0, ms: 0 };
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      throw new AppError('SQL_ERROR', { detail: error.message });
    }
  },
};

/** The tables as a run leaves them. */
async function givenTables() {
  const { engine } = await openTestEngine();
  const folder = await temporaryDirectory();
  const tables: TableInput[] = [];
  for (const [name, sql] of Object.entries(TABLES)) {
    await engine.run(`CREATE TABLE ${name} AS ${sql}`);
    const path = join(folder, `${name}.parquet`);
    await engine.copyToParquet(`SELECT * FROM ${name}`, { path });
    const columns = await engine.describe(`SELECT * FROM ${name}`);
    tables.push({ name, columns, files: [{ key: path, sizeBytes: 1 }] });
  }
  return { engine, tables };
}

/** Asks the scripted provider over HTTP as the deployment's function does. */
function asking(provider: AiProvider) {
  const limits = { schemes: ['http'] as const, timeoutMs: 5_000, maxBytes: 1_000_000 };
  const fetch = guardedFetch(createAddressGuard({ allowedPrivateCidrs: ['127.0.0.0/8'] }), limits);
  const settings = { provider: 'openai-compatible', model: 'm', baseUrl: provider.url } as const;
  return {
    ask: async (question: Parameters<typeof generate>[1]) =>
      generate((await languageModel(settings, 'k', fetch))!, question),
  };
}

const inAnyOrder = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).sort();

it('compiles each of sixty chains that a model may answer, to the rows that were wished for', async () => {
  expect(TASKS.length).toBe(60);
  expect(new Set(TASKS.map(([wish]) => wish)).size).toBe(60);
  const provider = await AiProvider.open();
  onTestFinished(() => provider.close());
  const { engine, tables } = await givenTables();
  const inputs = Object.fromEntries(tables.map(({ name, columns }) => [name, columns]));
  const ai = asking(provider);
  const wrong: unknown[] = [];
  for (const [index, [wish, ops, reference]] of TASKS.entries()) {
    const description = `${wish} (wish ${index}.)`;
    provider.script(`(wish ${index}.)`, [{ text: JSON.stringify({ ops, explanation: '', confidence: 1 }) }]);
    const made = await draftOps(
      { ai, engine: ENGINE },
      'w',
      { description, inputs, currentOps: [], parameters: [] },
      { tables, values: VALUES, hasRows: true },
    ).catch((error: AppError) => error);
    if (made instanceof Error) {
      wrong.push([wish, made.errors]);
      continue;
    }
    const found = inAnyOrder(JSON.parse(made.rowsJson!));
    const expected = inAnyOrder(await rowsOf(engine, reference));
    if (JSON.stringify(found) !== JSON.stringify(expected)) wrong.push([wish, found, expected]);
    expect(provider.asked(`(wish ${index}.)`)).toHaveLength(1);
  }
  console.log(`suggested operations: ${TASKS.length - wrong.length} of ${TASKS.length} tasks right`);
  expect(wrong).toEqual([]);
});

it('tries operations that may fail on purpose, and not texts that would', async () => {
  const { tables } = await givenTables();
  const checked = (condition: string) =>
    checkOps(
      ENGINE,
      [
        { op: 'assert', condition },
        { op: 'limit', count: 1 },
      ],
      { tables, values: VALUES, hasRows: true, timeoutMs: 5_000 },
    );
  expect(await checked('true')).toMatchObject({ ok: true });
  expect(await checked('false')).toMatchObject({
    ok: false,
    diagnostics: [{ message: expect.stringContaining('violates an assertion') }],
  });
  expect(await checked("error('no')")).toMatchObject({ ok: false, diagnostics: [{ pointer: '/ops/0/condition' }] });
});
