import { runGuarded } from '../../../../shared/data/duckdb/watchdog.ts';
import { checkSelect } from '../../../../shared/data/sql/select-check.ts';
import type { LineageAnswer, LineageRequest } from '../../../../shared/domains/pipelines/checks/index.ts';
import { type Describe, dagLineage } from '../../../../shared/domains/pipelines/definition/index.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { engines } from './engines.ts';
import { GUARD } from './limits.ts';

const LINEAGE_TIMEOUT_MS = 20_000;

/** Analyses the statements of a definition without running them or reading files. */
export async function lineage({ dag, columns }: LineageRequest): Promise<LineageAnswer> {
  let interrupt = () => {};
  const describe: Describe = async ({ sql, params, mayFail }, tables) => {
    const engine = await engines.take();
    interrupt = () => engine.interrupt();
    try {
      const checked = await checkSelect(engine, sql, { tables: Object.keys(tables), mayFail });
      for (const name of checked.tables) await engine.attach(name, [], { emptySchema: tables[name]! });
      await engine.lock();
      return { columns: await engine.describe(checked.sql, params), root: checked.root };
    } catch (error) {
      if (error instanceof DataError) return undefined;
      throw error;
    } finally {
      await engine.close();
    }
  };
  return runGuarded(
    { interrupt: () => interrupt(), run: () => dagLineage(dag, columns, describe) },
    { ...GUARD, timeoutMs: LINEAGE_TIMEOUT_MS },
  );
}
