import { runGuarded } from '../../../../shared/data/duckdb/watchdog.ts';
import type { PortableAnswer, PortableRequest } from '../../../../shared/domains/pipelines/checks/index.ts';
import { athenaStep } from '../../../../shared/domains/pipelines/definition/index.ts';
import { engines } from './engines.ts';
import { GUARD } from './limits.ts';

const PORTABLE_TIMEOUT_MS = 5_000;

/** Binds the step to empty tables with the columns of its inputs, and translates it for Athena if possible. */
export async function portable({ config, inputs, values }: PortableRequest): Promise<PortableAnswer> {
  const engine = await engines.take();
  const check = async () => {
    await engine.lock();
    return athenaStep(engine, config, inputs, values);
  };
  try {
    return await runGuarded(
      { interrupt: () => engine.interrupt(), run: check },
      { ...GUARD, timeoutMs: PORTABLE_TIMEOUT_MS },
    );
  } finally {
    await engine.close();
  }
}
