import { checkMysqlCondition } from '../../../../shared/data/connectors/mysql/statement-check.ts';
import { checkSourceSelect } from '../../../../shared/data/connectors/source-check.ts';
import type { Engine } from '../../../../shared/data/duckdb/engine.ts';
import { runGuarded } from '../../../../shared/data/duckdb/watchdog.ts';
import { type CheckCodeAnswer, type CheckCodeRequest, codeIssues } from '../../../../shared/data/sandbox/check-code.ts';
import { checkPerRow } from '../../../../shared/data/sql/per-row-check.ts';
import { unrepeatablePart } from '../../../../shared/data/sql/repeatable.ts';
import { checkSelect } from '../../../../shared/data/sql/select-check.ts';
import type { CheckAnswer, CheckRequest } from '../../../../shared/data/sql/statement-check.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { engines } from './engines.ts';
import { GUARD } from './limits.ts';

/** Checking runs nothing, so only a busy machine takes long. */
const CHECK_TIMEOUT_MS = 15_000;

/** Checks statements and expressions without running them. */
export async function check(request: CheckRequest): Promise<CheckAnswer> {
  const engine = await engines.take();
  try {
    return await runGuarded(
      {
        interrupt: () => engine.interrupt(),
        run: async () => {
          const answers: CheckAnswer = [];
          for (const statement of request.statements) {
            try {
              answers.push({ ok: true, ...(await checked(engine, statement)) });
            } catch (error) {
              if (!(error instanceof DataError)) throw error;
              answers.push({ ok: false, issues: [...error.issues] });
            }
          }
          return answers;
        },
      },
      { ...GUARD, timeoutMs: CHECK_TIMEOUT_MS },
    );
  } catch (error) {
    if (!(error instanceof DataError) || error.code !== 'QUERY_TIMEOUT') throw error;
    const message = 'The statements could not be checked because too much is checked at once. Try again.';
    throw new DataError('SERVICE_BUSY', message, { cause: error });
  } finally {
    await engine.close();
  }
}

async function checked(
  engine: Engine,
  { sql, tables, dialect, perRow }: CheckRequest['statements'][number],
): Promise<Omit<Extract<CheckAnswer[number], { ok: true }>, 'ok'>> {
  if (dialect === 'mysql' || dialect === 'postgres') return checkSourceSelect(dialect, sql);
  if (dialect === 'mysql_condition') return { sql: checkMysqlCondition(sql), tables, parameters: [] };
  if (dialect === 're2') {
    await engine.run("SELECT regexp_matches('', $1)", [sql]);
    return { sql, tables, parameters: [] };
  }
  if (dialect === 'json_path') {
    await engine.run("SELECT json_extract_string('{}', $1)", [sql]);
    return { sql, tables, parameters: [] };
  }
  const { sql: passed, tables: read, parameters, root } = await checkSelect(engine, sql, { tables });
  if (perRow) checkPerRow(root, passed, perRow);
  const unrepeatable = unrepeatablePart(root);
  return { sql: passed, tables: read, parameters, ...(unrepeatable ? { unrepeatable } : {}) };
}

/** Checks code in the sandbox that would run it, one text after the other. */
export async function checkCode(request: CheckCodeRequest): Promise<CheckCodeAnswer> {
  return codeIssues(request.texts);
}
