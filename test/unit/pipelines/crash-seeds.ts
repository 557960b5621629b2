import { MATERIALIZE, type Materialize } from '../../../shared/domains/pipelines/definition/configs/transform-sql.ts';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { readAdmission } from '../../../shared/domains/pipelines/runs/admission.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { type Crash, untilSurvived } from '../../support/crash.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { CRASH_POINT_NAMES, type CrashPoint, isAt } from './crash-points.ts';
import type { RunSetup } from './run-setup.ts';

export const MODES = ['append', 'overwrite', 'merge'] as const;
export type Mode = (typeof MODES)[number];

const STRATEGIES = ['upsert', 'delete_insert', 'insert_only', 'scd2'] as const;
const RETRY = { maxAttempts: 20, initialIntervalMs: 100, backoffCoefficient: 1 };

/** What a seed makes: the files that the runs read one after the other, and how they are loaded. */
export interface Scenario {
  files: string[];
  load: Step['config'];
  incremental: boolean;
  /** Of the transforms before the load. */
  materialize: Materialize;
}

export function scenarioOf(mode: Mode, seed: number): Scenario {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const runs = 1 + (seed % 2);
  const files = Array.from({ length: runs }, (_run, run) => {
    const lines = Array.from({ length: 3 + below(8) }, (_line, line) => {
      const id = mode === 'merge' ? run * 3 + line : below(20);
      // The first rows go to the quarantine and are dropped, whatever else the seed brings.
      const amount = line === 0 ? -1 : line === 1 ? 500 : below(120) - 10;
      return `${id},${amount},${run * 100 + below(50)}`;
    });
    return `id,amount,day\n${lines.join('\n')}\n`;
  });
  const load: Step['config'] =
    mode === 'merge' ? { mode, mergeKey: ['id'], strategy: STRATEGIES[below(STRATEGIES.length)] } : { mode };
  const incremental = random() < 0.5;
  return { files, load, incremental, materialize: MATERIALIZE[below(MATERIALIZE.length)]! };
}

/**
 * Two branches that meet in the load, so that a step is released by others and not just followed by the next. In the
 * longer one a transform is fused into the next, and with `never` both are.
 */
function dagOf(sourceId: string, dataset: string, { load, incremental, materialize }: Scenario): Dag {
  const object = { path: 'rows.csv' };
  const extract = incremental
    ? { sourceId, object, mode: 'incremental', incremental: { cursorColumn: 'day' } }
    : { sourceId, object };
  const clean = 'SELECT id::BIGINT AS id, amount::INTEGER AS amount, day::INTEGER AS day FROM rows';
  return {
    version: 1,
    steps: [
      { id: 'rows', type: 'extract', config: extract, retry: RETRY },
      { id: 'clean', type: 'transform_sql', config: { sql: clean, materialize }, dependsOn: ['rows'], retry: RETRY },
      {
        id: 'known',
        type: 'transform_sql',
        config: { sql: 'SELECT * FROM clean WHERE id IS NOT NULL', materialize },
        dependsOn: ['clean'],
        retry: RETRY,
      },
      {
        id: 'count',
        type: 'transform_sql',
        config: { sql: 'SELECT count(*) AS n FROM rows' },
        dependsOn: ['rows'],
        retry: RETRY,
      },
      {
        id: 'keep',
        type: 'load',
        config: {
          input: 'known',
          target: { kind: 'dataset', name: dataset },
          ...load,
          gates: [
            { id: 'positive', type: 'no_negative', column: 'amount', action: 'quarantine' },
            { id: 'small', type: 'value_range', column: 'amount', config: { max: 90 }, action: 'drop' },
          ],
        },
        dependsOn: ['known', 'count'],
        retry: RETRY,
      },
    ],
  };
}

/** Everything that users see of it. */
export interface Outcome {
  runs: { status: string; rowsMoved: number }[];
  rows: unknown[][] | undefined;
  quarantine: unknown[][] | undefined;
  version: number | undefined;
  slots: { running: string[]; waiting: string[] };
}

/** Does the runs of a scenario one after the other, each to its end. */
export async function playScenario(setup: RunSetup, scenario: Scenario): Promise<Outcome> {
  const dataset = `rows ${newId()}`;
  const sourceId = await setup.fileSource({});
  const pipeline = await setup.pipeline(dagOf(sourceId, dataset, scenario));
  const runs: Outcome['runs'] = [];
  for (const file of scenario.files) {
    // The next crash may hit the upload.
    await untilSurvived(() => setup.putFile(sourceId, 'rows.csv', file));
    // The client repeats its request for the run until there is a reply.
    const occasion = { name: `ask#${newId()}`, retentionSeconds: 3600 };
    const run = await untilSurvived(() => setup.run(pipeline, { runId: newId(), occasion }));
    const { status, rowsMoved } = await setup.untilOver(run.id);
    runs.push({ status, rowsMoved });
  }
  // Instants and ids differ from play to play.
  const history = scenario.load.strategy === 'scd2' ? ', _valid_to IS NULL, _is_current' : '';
  const { running, waiting } = await readAdmission(setup.context.table, setup.workspaceId, pipeline.id);
  return {
    runs,
    rows: await setup.rows(dataset, `id, amount, day${history}`),
    quarantine: await setup.rows(`${dataset}__quarantine`, 'id, amount, day, _gate_id, _reason'),
    version: (await setup.dataset(dataset))?.version,
    slots: { running, waiting },
  };
}

/** How often a play comes past each point. */
export type Passages = Record<CrashPoint, number>;

export async function playUnharmed(setup: RunSetup, scenario: Scenario): Promise<{ outcome: Outcome; past: Passages }> {
  const past = Object.fromEntries(CRASH_POINT_NAMES.map((point) => [point, 0])) as Passages;
  setup.crash = (write) => {
    for (const point of CRASH_POINT_NAMES) if (isAt(point, write)) past[point] += 1;
    return undefined;
  };
  const outcome = await playScenario(setup, scenario);
  setup.crash = () => undefined;
  return { outcome, past };
}

/**
 * How the worker dies at a point, chosen by the seed; answers undefined for a point that the scenario never comes past.
 */
export function deathAt(point: CrashPoint, past: Passages, seed: number): Death | undefined {
  if (past[point] === 0) return undefined;
  const random = seededRandom(seed * 31 + CRASH_POINT_NAMES.indexOf(point));
  return {
    point,
    passage: Math.floor(random() * past[point]),
    when: random() < 0.5 ? 'before' : 'after',
    notices: (['machine', 'service', 'tick'] as const)[Math.floor(random() * 3)]!,
    againAfter: random() < 0.3 ? Math.floor(random() * 12) : undefined,
  };
}

export interface Death {
  point: CrashPoint;
  /** Counted from 0. */
  passage: number;
  /** Whether the write or only its answer is lost. */
  when: 'before' | 'after';
  notices: RunSetup['notices'];
  /** The next worker dies too, after so many writes. */
  againAfter: number | undefined;
}

export async function playHarmed(setup: RunSetup, scenario: Scenario, death: Death): Promise<Outcome> {
  setup.notices = death.notices;
  setup.crash = dying(death);
  try {
    return await playScenario(setup, scenario);
  } finally {
    setup.crash = () => undefined;
    setup.notices = 'machine';
  }
}

function dying({ point, passage, when, againAfter }: Death): Crash {
  let passed = 0;
  let writes = 0;
  return (write) => {
    if (passed > passage) return againAfter !== undefined && writes++ === againAfter ? when : undefined;
    return isAt(point, write) && passed++ === passage ? when : undefined;
  };
}
