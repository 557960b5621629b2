import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Engine, openEngine } from '../../../shared/data/duckdb/engine.ts';
import { fusedRowsOf, type RunParts } from '../../../shared/domains/pipelines/runs/fused-rows.ts';
import { readSteps } from '../../../shared/domains/pipelines/store/run-store.ts';
import type { StepOutput } from '../../../shared/domains/pipelines/store/step-output.ts';
import { readTriggerInput } from '../../../shared/domains/pipelines/triggers/trigger-input.ts';
import type { RunSetup } from './run-setup.ts';

/** The rows that steps of a run left to others, as previews read them: fused ones are computed again. */
export class StepRows {
  readonly #setup: RunSetup;
  readonly #parts: RunParts;

  private constructor(setup: RunSetup, parts: RunParts) {
    this.#setup = setup;
    this.#parts = parts;
  }

  static async open(setup: RunSetup, runId: string): Promise<StepRows> {
    const { table, dags } = setup.context;
    const run = await setup.stored(runId);
    const [dag, input, nodes] = await Promise.all([
      dags.get(run.workspaceId, run.dagHash),
      readTriggerInput(table, run.workspaceId, runId),
      readSteps(table, run.workspaceId, runId),
    ]);
    return new StepRows(setup, { run, dag, input, nodes });
  }

  /** Makes the rows of an output, with all its ports, readable as a table. */
  async attach(engine: Engine, name: string, outputs: readonly StepOutput[]): Promise<void> {
    const paths = await Promise.all(outputs.map((output) => this.#pathsOf(output)));
    await engine.attach(name, paths.flat(), { emptySchema: outputs[0]?.columns ?? [] });
  }

  async #pathsOf(output: StepOutput): Promise<string[]> {
    if (output.fused) return [await this.#computed(output.fused.index)];
    // A route has files at its ports only; what reads one port has the files of that.
    const ofPorts = Object.values(output.ports ?? {}).flatMap(({ files }) => files);
    return this.#setup.worker.cache.fetchAll(output.files.length > 0 ? output.files : ofPorts);
  }

  async #computed(index: number): Promise<string> {
    const { compiled, inputs } = fusedRowsOf(this.#parts, index);
    const path = join(this.#setup.worker.scratchDir, `${randomUUID()}.parquet`);
    const engine = await openEngine({ memoryLimitMb: 200, threads: 1, tempDir: this.#setup.worker.scratchDir });
    try {
      for (const [alias, outputs] of Object.entries(inputs)) await this.attach(engine, alias, outputs);
      await engine.copyToParquet(compiled.sql, { params: compiled.params, path });
      return path;
    } finally {
      await engine.close();
    }
  }
}
