import { runGuarded } from '../../../../shared/data/duckdb/watchdog.ts';
import { statementLineage } from '../../../../shared/data/lineage/column-lineage.ts';
import { type CheckedSelect, checkSelect } from '../../../../shared/data/sql/select-check.ts';
import type {
  StatementAnalysis,
  StatementsAnswer,
  StatementsRequest,
} from '../../../../shared/domains/engine/index.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { engines } from './engines.ts';
import { GUARD } from './limits.ts';

const STATEMENTS_TIMEOUT_MS = 20_000;

/** Analyses statements over the same tables, without running them or reading files. */
export async function statements(request: StatementsRequest): Promise<StatementsAnswer> {
  const tables = new Map(request.tables.map((table) => [table.name, table]));
  const engine = await engines.take();
  const analyse = async (
    { sql, root, parameters, tables: read }: CheckedSelect,
    { params }: StatementsRequest['statements'][number],
  ): Promise<StatementAnalysis> => {
    const values = Object.fromEntries(parameters.map((name) => [name, params[name] ?? null]));
    const columns = await engine.describe(sql, values);
    const known = read.map((name) => tables.get(name)!);
    const names = columns.map(({ name }) => name);
    return { tables: read, columns, lineage: statementLineage(root, known, names) };
  };
  const run = async (): Promise<StatementsAnswer> => {
    const checked = await inTurn(request.statements, ({ sql, mayFail }) =>
      checkSelect(engine, sql, { tables: [...tables.keys()], mayFail }),
    );
    for (const name of new Set(checked.flatMap((each) => each?.tables ?? []))) {
      const { columns } = tables.get(name)!;
      if (columns.length > 0) await engine.attach(name, [], { emptySchema: columns });
    }
    await engine.lock();
    return inTurn(request.statements, async (statement, index) => {
      const select = checked[index];
      return select ? analyse(select, statement) : null;
    });
  };
  try {
    return await runGuarded(
      { interrupt: () => engine.interrupt(), run },
      { ...GUARD, timeoutMs: STATEMENTS_TIMEOUT_MS },
    );
  } finally {
    await engine.close();
  }
}

/** Null for a statement with errors. */
async function inTurn<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R | null>,
): Promise<(R | null)[]> {
  const answers: (R | null)[] = [];
  for (const [index, item] of items.entries()) {
    try {
      answers.push(await work(item, index));
    } catch (error) {
      if (!(error instanceof DataError) || error.code === 'QUERY_TIMEOUT') throw error;
      answers.push(null);
    }
  }
  return answers;
}
