import { join } from 'node:path';
import { flightsPipeline, SAMPLE_FILES } from '../../../infra/demo/flights.ts';
import type { RunWithSteps } from '../../../shared/domains/pipelines/store/run-with-steps.ts';
import type { Bench } from '../bench.ts';
import { runChild } from '../child.ts';
import { runMs, stepMs } from '../platform.ts';
import type { Result } from '../result.ts';
import { percentile, ratios, rounds, spread } from '../spread.ts';

const ROUNDS = 3;
const GOAL = 1.5;
const REFERENCE = join(import.meta.dirname, '../references/duckdb-flights.ts');

/** The demo's pipeline (three million flights, joined and merged into a dataset) against DuckDB alone. */
export async function flights({ platform, deployment }: Bench): Promise<Result> {
  const samples = join(deployment.root, 'node_modules/vega-datasets/data');
  const files = Object.fromEntries(SAMPLE_FILES.map((file) => [file, join(samples, file)]));
  const sourceId = await platform.fileSource('Flights', files);
  const target = deployment.scratch('duckdb-alone');
  const alone = (how: string) => runChild<{ ms: number; rows: number }>([REFERENCE, how, samples, target]);
  // A dataset of its own for each run, as in the demo: merging into an empty one is what DuckDB alone does.
  const throughPlatform = async (round: number): Promise<RunWithSteps> => {
    const dag = flightsPipeline(sourceId, `flights_${round}`);
    const { id } = await platform.call<{ id: string }>('POST', '/api/pipelines', { name: `Flights ${round}`, dag });
    return platform.run(id);
  };

  await throughPlatform(0);
  const measured = await rounds(ROUNDS, async (index) => {
    const whole = await alone('whole');
    const run = await throughPlatform(index + 1);
    const steps = await alone('steps');
    const loaded = run.steps.find(({ stepId }) => stepId === 'merged')?.rowsOut;
    if (loaded !== whole.rows) throw new Error(`the pipeline loaded ${loaded} rows, DuckDB alone ${whole.rows}`);
    return { run, whole: whole.ms, steps: steps.ms };
  });

  const runs = measured.map(({ run }) => runMs(run));
  const whole = measured.map((round) => round.whole);
  const inSteps = measured.map((round) => round.steps);
  const seconds = (values: number[]) => spread(values.map((ms) => ms / 1000));
  return {
    title: 'Three million flights: extract twice, join, merge',
    rows: [
      {
        what: 'run, against DuckDB alone writing the result',
        unit: 's',
        measured: seconds(runs),
        reference: seconds(whole),
        ratio: ratios(runs, whole),
        goal: { of: 'ratio', atMost: GOAL },
      },
      {
        what: 'run, against DuckDB alone writing every step',
        unit: 's',
        measured: seconds(runs),
        reference: seconds(inSteps),
        ratio: ratios(runs, inSteps),
      },
    ],
    notes: [whereTheTimeGoes(measured.map(({ run }) => run))],
    bound:
      'the cost of steps. The rows of a step are written to a file and read again, and those of the extracts are uploaded, so that they are counted and a retry starts there. The second row has the files on both sides.',
  };
}

function whereTheTimeGoes(runs: readonly RunWithSteps[]): string {
  const ids = runs[0]!.steps.map(({ stepId }) => stepId);
  const median = (of: (run: RunWithSteps) => number) => Math.round(percentile(runs.map(of), 50));
  const took = (id: string) => median((run) => stepMs(run).find(({ stepId }) => stepId === id)!.ms);
  const start = median(
    (run) => Math.min(...run.steps.map((step) => Date.parse(step.startedAt!))) - Date.parse(run.createdAt),
  );
  const steps = ids.map((id) => `${id} ${took(id)} ms`).join(', ');
  return `From the request to the first step ${start} ms; ${steps} (the two extracts run side by side). Medians of ${runs.length} runs.`;
}
