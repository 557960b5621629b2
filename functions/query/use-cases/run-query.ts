import type { Principal } from '../../../shared/auth/principal.ts';
import { JsonText } from '../../../shared/http/json-text.ts';
import { rightsOf } from '../../../shared/query/command.ts';
import { type QueryDeps, runQuery as run } from '../../../shared/query/run-query.ts';
import type { QueryBody } from '../schemas.ts';

/** Runs the statement over the named datasets as they are now, or over a source. */
export async function runQuery(
  deps: QueryDeps,
  command: QueryBody & { principal: Principal; queryId: string },
): Promise<JsonText> {
  const { principal, queryId, ...statement } = command;
  const { rowsJson, ms, bytes, cache, ...told } = await run(deps, {
    ...statement,
    workspaceId: principal.workspaceId,
    rights: rightsOf(principal),
  });
  return JsonText.of({ queryId, ...told, stats: { ms, bytes, cache } }, { rows: rowsJson });
}
