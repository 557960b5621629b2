import { createHash } from 'node:crypto';
import type { Column } from '../../../../data/duckdb/column-types.ts';
import type { QueryParameter } from '../../../../data/duckdb/parameters.ts';
import { AppError } from '../../../../platform/errors/app-error.ts';
import { LatestEntries } from '../../../../platform/storage/latest-entries.ts';
import type { EngineFunction, StatementAnalysis } from '../../../engine/index.ts';

export interface NamedTable {
  name: string;
  columns: readonly Column[];
}

export interface Statement {
  sql: string;
  /** The tables that it reads, or more. */
  tables: readonly NamedTable[];
  params?: Readonly<Record<string, QueryParameter>>;
  /** Set for statements that were compiled from parts which were checked one by one. */
  mayFail?: true;
}

/** Null for a statement with errors. */
export type AnalyseStatement = (statement: Statement) => Promise<StatementAnalysis | null>;

const MAX_CACHED = 5_000;
/** A call of the engine function has room for these, and they leave it time for others. */
const MAX_TOGETHER = 100;

/** An analysis follows from the texts alone, so it never ends. */
const known = new LatestEntries<Promise<StatementAnalysis | null>>(MAX_CACHED);

interface Waiting {
  statement: Statement;
  done(analysis: StatementAnalysis | null): void;
  failed(error: unknown): void;
}

/** So many statements take longer than a request; the next one finds some of them analysed. */
const isTooSlow = (error: unknown): boolean => error instanceof AppError && error.code === 'QUERY_TIMEOUT';

/** Analyses statements; those that are asked for at the same time share calls of the engine. */
export function statementAnalyses(engine: Pick<EngineFunction, 'statements'>): AnalyseStatement {
  let waiting: Waiting[] = [];

  async function run(batch: readonly Waiting[]): Promise<void> {
    const tables = new Map(batch.flatMap(({ statement }) => statement.tables.map((table) => [table.name, table])));
    try {
      const answers = await engine.statements({
        statements: batch.map(({ statement: { sql, params = {}, mayFail } }) => ({
          sql,
          params,
          ...(mayFail && { mayFail }),
        })),
        tables: [...tables.values()].map(({ name, columns }) => ({ name, columns: [...columns] })),
      });
      for (const [index, each] of batch.entries()) each.done(answers[index]!);
    } catch (error) {
      for (const each of batch) each.failed(isTooSlow(error) ? new AppError('SERVICE_BUSY', { cause: error }) : error);
    }
  }

  function flush(): void {
    let left = waiting;
    waiting = [];
    while (left.length > 0) {
      // Statements of one call share their tables, so a name has the same columns in all of them.
      const columns = new Map<string, string>();
      const batch: Waiting[] = [];
      const others: Waiting[] = [];
      for (const each of left) {
        const own = each.statement.tables.map((table) => [table.name, JSON.stringify(table.columns)] as const);
        const fits = batch.length < MAX_TOGETHER && own.every(([name, of]) => (columns.get(name) ?? of) === of);
        if (fits) for (const [name, of] of own) columns.set(name, of);
        (fits ? batch : others).push(each);
      }
      void run(batch);
      left = others;
    }
  }

  return (statement) => {
    const key = createHash('sha256').update(JSON.stringify(statement)).digest('base64');
    const cached = known.get(key);
    if (cached) return cached;
    const analysis = new Promise<StatementAnalysis | null>((done, failed) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ statement, done, failed });
    });
    known.set(key, analysis);
    analysis.catch(() => known.delete(key));
    return analysis;
  };
}
