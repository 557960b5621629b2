import { runGuarded } from '../../../../shared/data/duckdb/watchdog.ts';
import { checkSelect } from '../../../../shared/data/sql/select-check.ts';
import type { DescribeAnswer, DescribeRequest } from '../../../../shared/domains/engine/index.ts';
import { engines } from './engines.ts';
import { GUARD } from './limits.ts';

const DESCRIBE_TIMEOUT_MS = 5_000;

/** Binds the statement to empty tables with the given columns. Parameters without a value are null. */
export async function describe({ sql, params, tables }: DescribeRequest): Promise<DescribeAnswer> {
  const engine = await engines.take();
  try {
    return await runGuarded(
      {
        interrupt: () => engine.interrupt(),
        run: async () => {
          const checked = await checkSelect(engine, sql, { tables: tables.map(({ name }) => name) });
          const needed = tables.filter(({ name, columns }) => checked.tables.includes(name) && columns.length > 0);
          for (const { name, columns } of needed) await engine.attach(name, [], { emptySchema: columns });
          await engine.lock();
          const { parameters } = checked;
          const values = Object.fromEntries(
            parameters.map((name) => [name, (Array.isArray(params) ? params[Number(name) - 1] : params[name]) ?? null]),
          );
          return { columns: await engine.describe(checked.sql, values), tables: checked.tables, parameters };
        },
      },
      { ...GUARD, timeoutMs: DESCRIBE_TIMEOUT_MS },
    );
  } finally {
    await engine.close();
  }
}
