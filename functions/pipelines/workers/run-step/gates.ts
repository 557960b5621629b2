import { folded, freeName } from '../../../../shared/data/duckdb/column-names.ts';
import type { Column } from '../../../../shared/data/duckdb/column-types.ts';
import type { Engine } from '../../../../shared/data/duckdb/engine.ts';
import { withGuardedEngine } from '../../../../shared/data/duckdb/guarded-engine.ts';
import { quoteIdentifier } from '../../../../shared/data/duckdb/quoting.ts';
import type { TestContext } from '../../../../shared/data/quality/compile.ts';
import { check, type Evaluation, failingRows } from '../../../../shared/data/quality/evaluate.ts';
import type { SampledResult } from '../../../../shared/data/quality/gate-result.ts';
import { bindTemplates } from '../../../../shared/data/sql/templates.ts';
import type { Prepared } from '../../../../shared/data/tables/prepare-load.ts';
import { type Gate, gatesOf, testOf, timeoutMsOf } from '../../../../shared/domains/pipelines/definition/index.ts';
import type { StepResult } from '../../../../shared/domains/pipelines/runs/index.ts';
import type { StepOutput } from '../../../../shared/domains/pipelines/store/index.ts';
import { datasetRepository, readManifest } from '../../../../shared/domains/warehouse/datasets/index.ts';
import { type Attempt, engineResources, lockedFor, StepFailure } from './attempt.ts';
import { gateResult, isBlocked } from './gate-result.ts';
import { storeFile } from './output.ts';

/** A batch after its gates: accepted + quarantined + dropped = input. */
export interface GatedBatch {
  accepted: readonly StepOutput[];
  /** Rows for the quarantine, with the reason columns; undefined when there are none. */
  quarantined: StepOutput | undefined;
  results: SampledResult[];
}

/** A batch that its gates rejected; never retried. */
export class GateFailure extends StepFailure {
  readonly gates: readonly SampledResult[];

  constructor(gates: readonly SampledResult[]) {
    const messages = gates.filter(isBlocked).map(({ gateId, message }) => `${gateId}: ${message}`);
    super('GATE_FAILED', messages.join(' '));
    this.gates = gates;
  }
}

const REASON_COLUMNS = ['_run_id', '_gate_id', '_reason'];

/** Evaluates every gate on all rows of a batch and separates the failing rows. Throws GateFailure. */
export async function checkBatch(
  attempt: Attempt,
  gates: readonly Gate[],
  outputs: readonly StepOutput[],
  /** The number of the first stored file. */
  part = 1,
): Promise<GatedBatch> {
  if (gates.length === 0) return { accepted: outputs, quarantined: undefined, results: [] };
  return withGateEngine(attempt, async (engine) => {
    const files = outputs.flatMap((output) => output.files);
    await engine.attach('input', await attempt.worker.cache.fetchAll(files), {
      emptySchema: outputs[0]?.columns ?? [],
    });
    const gateContext = await gateContextOf(attempt, engine, gates);
    const checked = await checkAll(engine, gates, gateContext);
    const results = checked.map(({ result }) => result);
    logResults(attempt, results);
    if (results.some(isBlocked)) throw new GateFailure(results);
    const taking = checked.filter(
      ({ gate, result }) => takesRows(gate) && (result.failedRows ?? 0) > 0 && result.status === 'failed',
    );
    if (taking.length === 0) return { accepted: outputs, quarantined: undefined, results };

    const number = quoteIdentifier(gateContext.rowNumber);
    await takeRows(engine, taking, gateContext.rowNumber);
    for (const [gateId, count] of await engine.run('SELECT id, count(*) FROM taken GROUP BY id')) {
      results.find((result) => result.gateId === gateId)!.removedRows = Number(count);
    }
    const acceptedPath = engine.temporaryPath('parquet');
    const accepted = await engine.copyToParquet(
      `SELECT * EXCLUDE (${number}) FROM numbered WHERE ${number} NOT IN (SELECT n FROM taken)`,
      { path: acceptedPath },
    );
    const kept = [await stored(attempt, acceptedPath, accepted, part)];
    if (!taking.some(({ gate }) => gate.action === 'quarantine'))
      return { accepted: kept, quarantined: undefined, results };

    checkReasonColumns(gateContext.columns);
    const quarantinePath = engine.temporaryPath('parquet');
    const quarantined = await engine.copyToParquet(
      `SELECT b.* EXCLUDE (${number}), $1::VARCHAR AS _run_id, t.id AS _gate_id, t.reason AS _reason
       FROM numbered AS b JOIN taken AS t ON b.${number} = t.n WHERE t.quarantined`,
      { path: quarantinePath, params: [attempt.run.id] },
    );
    const apart = quarantined.rows > 0 ? await stored(attempt, quarantinePath, quarantined, part + 1) : undefined;
    return { accepted: kept, quarantined: apart, results };
  });
}

/** Evaluates the gates of a step on its output. Throws GateFailure. */
export async function checkOutput(attempt: Attempt, result: StepResult): Promise<StepResult> {
  const gates = gatesOf(attempt.step.config);
  const { output } = result;
  if (gates.length === 0 || !output) return result;
  // The step's own file is the first.
  const { accepted, results } = await checkBatch(attempt, gates, [output], 2);
  const { files, rows, bytes } = accepted[0]!;
  return { ...result, output: { ...output, files, rows, bytes }, rowsOut: rows, bytesOut: bytes, gates: results };
}

/** Evaluates the gates of a load into a table or files, and loads the accepted rows. Throws GateFailure. */
export async function checkInput(
  attempt: Attempt,
  load: (attempt: Attempt) => Promise<StepResult>,
): Promise<StepResult> {
  const gates = gatesOf(attempt.step.config);
  if (gates.length === 0) return load(attempt);
  const outputs = attempt.inputs.input ?? [];
  const { accepted, results } = await checkBatch(attempt, gates, outputs);
  const result = await load({ ...attempt, inputs: { ...attempt.inputs, input: [...accepted] } });
  const rowsIn = outputs.reduce((sum, output) => sum + output.rows, 0);
  return { ...result, rowsIn, gates: results };
}

/**
 * Evaluates gates on the dataset as it would be after the load. Throws GateFailure with the results of the batch too.
 */
export async function checkTable(
  attempt: Attempt,
  gates: readonly Gate[],
  prepared: Prepared,
  earlier: { results: readonly SampledResult[]; previousRows: number | undefined },
): Promise<SampledResult[]> {
  if (gates.length === 0) return [];
  return withGateEngine(attempt, async (engine) => {
    const paths = await attempt.worker.cache.fetchAll([...prepared.kept, ...prepared.added]);
    await engine.attach('input', paths, { emptySchema: prepared.columns });
    const gateContext = await gateContextOf(attempt, engine, gates, earlier.previousRows);
    const results = (await checkAll(engine, gates, gateContext)).map(({ result }) => result);
    logResults(attempt, results);
    if (results.some(isBlocked)) throw new GateFailure([...earlier.results, ...results]);
    return results;
  });
}

/** A separate, locked-down engine for the author's SQL; the engine of the load stays open. */
function withGateEngine<T>(attempt: Attempt, work: (engine: Engine) => Promise<T>): Promise<T> {
  const { worker, run, step, signal, die } = attempt;
  return withGuardedEngine(
    engineResources(worker, lockedFor(run)),
    { timeoutMs: timeoutMsOf(step), signal, die },
    work,
  );
}

async function gateContextOf(
  attempt: Attempt,
  engine: Engine,
  gates: readonly Gate[],
  previousRows?: number,
): Promise<TestContext> {
  const references = await attachReferences(attempt, engine, gates);
  const columns = await engine.describe('SELECT * FROM input');
  const rowNumber = freeName('number of the row', columns);
  await engine.lock();
  // A table keeps the row numbers stable when rows are removed by them later.
  const kind = gates.some(takesRows) ? 'TABLE' : 'VIEW';
  await engine.run(
    `CREATE ${kind} numbered AS SELECT *, row_number() OVER () AS ${quoteIdentifier(rowNumber)} FROM input`,
  );
  return {
    columns,
    rowNumber,
    // Every attempt of the run checks as of the same moment.
    now: new Date(attempt.run.startedAt ?? attempt.run.createdAt),
    previousRows: () => previousRows,
    references,
    bindText: (text, first) => bindTemplates(text, attempt.values, first),
  };
}

/** Makes the datasets of foreign keys readable; missing and empty ones are left out. */
async function attachReferences(
  attempt: Attempt,
  engine: Engine,
  gates: readonly Gate[],
): Promise<Map<string, string>> {
  const { context, objects, cache } = attempt.worker;
  const attached = new Map<string, string>();
  for (const test of gates.map(testOf)) {
    if (test.type !== 'foreign_key' || attached.has(test.config.refTable)) continue;
    const dataset = await datasetRepository(context.table).find(attempt.run.workspaceId, test.config.refTable);
    if (!dataset || dataset.columns.length === 0) continue;
    const manifest = await readManifest(context.table, objects, dataset);
    const name = `referenced ${attached.size}`;
    await engine.attach(name, await cache.fetchAll(manifest?.files ?? []), { emptySchema: dataset.columns });
    attached.set(test.config.refTable, name);
  }
  return attached;
}

interface Checked {
  gate: Gate;
  result: SampledResult;
  evaluation: Evaluation | undefined;
}

async function checkAll(engine: Engine, gates: readonly Gate[], gateContext: TestContext): Promise<Checked[]> {
  const checked: Checked[] = [];
  for (const gate of gates) {
    const evaluation = await check(engine, testOf(gate), gateContext);
    checked.push({
      gate,
      result: gateResult(gate, evaluation),
      evaluation: 'error' in evaluation ? undefined : evaluation,
    });
  }
  return checked;
}

/** Creates the table `taken`: each removed row with the first gate that it fails. */
async function takeRows(engine: Engine, taking: readonly Checked[], rowNumber: string): Promise<void> {
  await engine.run('CREATE TABLE failures (n BIGINT, place INTEGER)');
  await engine.run('CREATE TABLE reasons (place INTEGER, id VARCHAR, reason VARCHAR, quarantined BOOLEAN)');
  for (const [place, { gate, result, evaluation }] of taking.entries()) {
    const { compiled } = evaluation!;
    if (compiled.kind !== 'rows') continue;
    await engine.run(
      `INSERT INTO failures SELECT n, ${place} FROM (${failingRows(compiled, rowNumber)})`,
      compiled.params,
    );
    const reason = `${gate.type}${result.column === null ? '' : ` on ${result.column}`}`;
    await engine.run(`INSERT INTO reasons VALUES (${place}, $1, $2, $3)`, [
      gate.id,
      reason,
      gate.action === 'quarantine',
    ]);
  }
  await engine.run(`CREATE TABLE taken AS
    SELECT n, id, reason, quarantined FROM (SELECT n, min(place) AS place FROM failures GROUP BY n) JOIN reasons USING (place)`);
}

async function stored(
  attempt: Attempt,
  path: string,
  written: { rows: number; bytes: number; columns: Column[] },
  part: number,
): Promise<StepOutput> {
  const { rows, bytes, columns } = written;
  return { files: [await storeFile(attempt, path, written, part)], columns, rows, bytes };
}

function checkReasonColumns(columns: readonly Column[]): void {
  const taken = columns.find(({ name }) => REASON_COLUMNS.includes(folded(name)));
  if (!taken) return;
  throw new StepFailure(
    'SCHEMA_MISMATCH',
    `The rows have a column ${taken.name}, which the quarantine uses for its reasons; rename the column.`,
  );
}

function logResults(attempt: Attempt, results: readonly SampledResult[]): void {
  for (const { gateId, status, message } of results) {
    const level = status === 'passed' || status === 'skipped' ? 'info' : 'warn';
    attempt.log(level, `Gate ${gateId}: ${status}${message === null ? '' : `. ${message}`}`);
  }
}

const takesRows = ({ action }: Gate) => action === 'quarantine' || action === 'drop';
