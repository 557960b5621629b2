import type { Bench } from '../bench.ts';
import { runMs, stepMs } from '../platform.ts';
import type { Result } from '../result.ts';
import { counted, scaled } from '../scale.ts';
import { percentile, spread } from '../spread.ts';

/** As many as a definition may have, of as many items each. */
const BLOCKS = 10;
const ITEMS = scaled(100, 5);
const GOAL_S = 10;

/** A thousand instances of light steps in one run. */
export async function forEach({ platform }: Bench): Promise<Result> {
  const instances = BLOCKS * ITEMS;
  const sourceId = await platform.fileSource('Items', { 'tiny.csv': Buffer.from('id\n1\n2\n3\n') });
  const items = Array.from({ length: ITEMS }, (_, index) => index + 1);
  const steps = Array.from({ length: BLOCKS }, (_, block) => ({
    id: `s${block}`,
    type: 'transform_sql',
    dependsOn: block === 0 ? ['rows'] : ['rows', `s${block - 1}`],
    config: {
      inputs: { input: 'rows' },
      sql: `SELECT id + {{ forEach.b${block}.item }}::INTEGER AS id FROM input`,
    },
  }));
  const pipeline = await platform.newPipeline('Items', {
    version: 1,
    steps: [{ id: 'rows', type: 'extract', config: { sourceId, object: { path: 'tiny.csv' } } }, ...steps],
    forEach: steps.map(({ id }, block) => ({ id: `b${block}`, items, steps: [id] })),
  });
  const run = await platform.run(pipeline);
  const done = run.steps.filter(({ stepId, status }) => stepId !== 'rows' && status === 'succeeded');
  if (done.length !== instances) throw new Error(`${done.length} of ${instances} instances succeeded`);
  const durations = stepMs(run).map(({ ms }) => ms);
  const working = durations.reduce((sum, ms) => sum + ms, 0);
  return {
    title: `forEach: ${counted(instances)} instances`,
    rows: [
      {
        what: 'run',
        unit: 's',
        measured: spread([runMs(run) / 1000]),
        goal: { of: 'measured', atMost: GOAL_S },
      },
      { what: 'per instance', unit: 'ms', measured: spread([runMs(run) / instances]) },
    ],
    bound:
      'the cores of this machine. An instance takes some 12 ms of processor time in its worker, 5 of them in the engine (checking the SQL, attaching its input, describing and writing three rows, the reset), and 6 ms in the table, the bucket and the machines.',
    notes: [
      `One run of ${BLOCKS} blocks, one after the other, of ${ITEMS} items with one light step each, ten at once. An instance works for ${percentile(durations, 50)} ms (median), ${(working / runMs(run)).toFixed(1)} were active at once on average, and all succeeded.`,
    ],
  };
}
