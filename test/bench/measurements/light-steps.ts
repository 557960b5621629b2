import type { Bench } from '../bench.ts';
import { chainOf, criticalPath, lightPipeline, randomDag } from '../dags.ts';
import { runMs, stepMs } from '../platform.ts';
import type { Result } from '../result.ts';
import { percentile, rounds, spread } from '../spread.ts';

const CHAIN = 40;
const CHAIN_ROUNDS = 5;
const CHAIN_GOAL_S = 4;
const WORK_GOAL_MS = 12;

/** Forty steps that do next to nothing, one after the other. */
export async function lightChain({ platform }: Bench): Promise<Result> {
  const pipeline = await lightPipeline(platform, 'Chain', chainOf(CHAIN));
  await platform.run(pipeline);
  const runs = await rounds(CHAIN_ROUNDS, () => platform.run(pipeline));
  const working = runs.map((run) => stepMs(run).reduce((sum, { ms }) => sum + ms, 0) / CHAIN);
  const perStep = runs.map((run) => runMs(run) / CHAIN);
  const between = runs.map((run) => (runMs(run) - stepMs(run).reduce((sum, { ms }) => sum + ms, 0)) / CHAIN);
  const ms = (values: number[]) => `${percentile(values, 50).toFixed(1)} ms`;
  return {
    title: `${CHAIN} light steps, one after the other`,
    rows: [
      {
        what: 'run',
        unit: 's',
        measured: spread(runs.map((run) => runMs(run) / 1000)),
        goal: { of: 'measured', atMost: CHAIN_GOAL_S },
      },
      { what: 'per step', unit: 'ms', measured: spread(perStep) },
      {
        what: 'work of a step',
        unit: 'ms',
        measured: spread(working),
        goal: { of: 'measured', atMost: WORK_GOAL_MS },
      },
    ],
    notes: [
      `A step checks its SQL, reads and writes a file of three rows, resets the engine and writes its log; ${ms(between)} pass between two steps. ${CHAIN_ROUNDS} runs.`,
    ],
    bound: 'a step resets the engine and writes its output and its log before the next one begins.',
  };
}

const DAG = 100;
const DAG_ROUNDS = 3;
const SEED = 20_261_121;

/** A hundred steps with random dependencies against the longest path through them. */
export async function randomGraph({ platform }: Bench): Promise<Result> {
  const parents = randomDag(DAG, SEED);
  const pipeline = await lightPipeline(platform, 'Graph', parents);
  await platform.run(pipeline);
  const runs = await rounds(DAG_ROUNDS, () => platform.run(pipeline));
  const paths = runs.map((run) =>
    criticalPath(
      parents,
      stepMs(run).map(({ ms }) => ms),
    ),
  );
  const depth = criticalPath(
    parents,
    parents.map(() => 1),
  );
  const working = runs.map((run) => stepMs(run).reduce((sum, { ms }) => sum + ms, 0));
  const parallel = runs.map((run, index) => working[index]! / runMs(run));
  return {
    title: `${DAG} light steps with random dependencies`,
    rows: [
      {
        what: 'run, against its critical path',
        unit: 's',
        measured: spread(runs.map((run) => runMs(run) / 1000)),
        reference: spread(paths.map((ms) => ms / 1000)),
        ratio: spread(runs.map((run, index) => runMs(run) / paths[index]!)),
      },
    ],
    notes: [
      `The longest path has ${depth} steps; its length is the sum of the durations of its steps in the same run. ${percentile(parallel, 50).toFixed(1)} steps were active at once on average. ${DAG_ROUNDS} runs.`,
    ],
  };
}
