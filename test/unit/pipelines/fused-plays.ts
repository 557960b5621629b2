import { openEngine } from '../../../shared/data/duckdb/engine.ts';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { materializeIssues } from '../../../shared/domains/pipelines/definition/fusion.ts';
import type { StoredStep } from '../../../shared/domains/pipelines/store/step-record.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import type { Crash } from '../../support/crash.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { FILE, randomFile, randomFusedDag } from './fused-definitions.ts';
import type { RunSetup } from './run-setup.ts';
import { StepRows } from './step-rows.ts';

const READS_CLOCK = /now\(\)/;

/** What users see of a run, without what differs from run to run. */
export interface Seen {
  status: string;
  error: unknown;
  steps: Record<string, unknown>;
  loaded: Record<string, unknown[][] | undefined>;
  /** The steps whose rows were not stored. */
  fused: string[];
}

export interface How {
  materialize: 'always' | 'auto' | 'never';
  mayContinue: boolean;
  /** The worker dies at these writes, counted from the last death. */
  deaths: readonly { after: number; when: 'before' | 'after' }[];
}

/** Runs the definition of a seed. */
export async function playFused(setup: RunSetup, seed: number, how: How): Promise<Seen> {
  const random = seededRandom(seed);
  const sourceId = await setup.fileSource({ [FILE]: randomFile(random) });
  const dataset = `fused ${newId()}`;
  const dag = asked(randomFusedDag(random, sourceId, dataset), how.materialize);
  const run = await setup.run(await setup.pipeline(dag));
  setup.crash = dying(how.deaths);
  await setup.drain(how);
  setup.crash = () => undefined;
  const { status, error } = await setup.untilOver(run.id, how);
  const steps = await setup.steps(run.id);
  const loads = dag.steps.filter(({ type }) => type === 'load');
  const loaded: Seen['loaded'] = {};
  for (const { id, config } of loads) loaded[id] = await setup.rows((config.target as { name: string }).name);
  // The error of a run is that of the step that fails first.
  const failed = steps.flatMap(({ stepId, status: ended }) => (ended === 'failed' ? [stepId] : []));
  return {
    status,
    error: failed.length > 1 ? { isOfStep: failed.includes(error!.stepId!) } : error,
    steps: Object.fromEntries(await seenSteps(setup, run.id, steps)),
    loaded,
    fused: steps.flatMap(({ stepId, output }) => (output?.fused ? [stepId] : [])),
  };
}

/** The definition with `materialize` on each transform that may have it. */
function asked(dag: Dag, materialize: How['materialize']): Dag {
  const withSetting = (step: Step): Step => ({ ...step, config: { ...step.config, materialize } });
  const steps = dag.steps.map((step) => {
    if (step.type !== 'transform_sql' || materialize === 'auto') return step;
    const isUnrepeatable = READS_CLOCK.test(String(step.config.sql)) || mayLackInput(dag, step);
    if (materialize === 'never' && isUnrepeatable) return step;
    const changed = withSetting(step);
    const others = dag.steps.map((other) => (other === step ? changed : other));
    return materializeIssues({ ...dag, steps: others }).length > 0 ? step : changed;
  });
  return { ...dag, steps };
}

/** Whether a step before it may be skipped: then only a run can know the columns of its input. */
const mayLackInput = (dag: Dag, { dependsOn = [] }: Step): boolean =>
  dag.steps.some((other) => dependsOn.includes(other.id) && (other.when !== undefined || mayLackInput(dag, other)));

function dying(deaths: How['deaths']): Crash {
  const left = [...deaths];
  let writes = 0;
  return () => {
    if (left.length === 0 || writes++ < left[0]!.after) return undefined;
    writes = 0;
    return left.shift()!.when;
  };
}

async function seenSteps(setup: RunSetup, runId: string, steps: readonly StoredStep[]): Promise<[string, unknown][]> {
  const left = await StepRows.open(setup, runId);
  const engine = await openEngine({ memoryLimitMb: 200, threads: 1, tempDir: setup.worker.scratchDir });
  const seen: [string, unknown][] = [];
  try {
    for (const step of steps) {
      const { stepId, itemIndex, status, skipReason, rowsIn, rowsOut, rowsMoved, gates, error, output } = step;
      if (output) await left.attach(engine, 'made', [output]);
      const rows = output ? await engine.run('SELECT * FROM made ORDER BY ALL') : undefined;
      const record = { status, skipReason, rowsIn, rowsOut, rowsMoved, gates, error, columns: output?.columns };
      seen.push([`${stepId}#${itemIndex}`, { ...record, rows, ports: portRows(step) }]);
    }
  } finally {
    await engine.close();
  }
  return seen;
}

const portRows = ({ output }: StoredStep) =>
  Object.fromEntries(Object.entries(output?.ports ?? {}).map(([port, { rows }]) => [port, rows]));
