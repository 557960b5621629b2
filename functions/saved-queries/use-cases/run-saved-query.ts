import type { Principal } from '../../../shared/auth/principal.ts';
import { AppError } from '../../../shared/errors/app-error.ts';
import type { Content, ContentElsewhere } from '../../../shared/http/content.ts';
import { rightsOf } from '../../../shared/query/command.ts';
import type { DownloadLinks } from '../../../shared/query/download-links.ts';
import { formatOf, resultReply } from '../../../shared/query/result-reply.ts';
import { type QueryDeps, runQuery } from '../../../shared/query/run-query.ts';
import { boundValues } from '../domain/parameter-values.ts';
import type { RunBody, SavedQuery } from '../schemas.ts';

/** Runs the query as it is now, like any statement: the same limits, formats and remembered answers. */
export async function runSavedQuery(
  deps: QueryDeps & { links: DownloadLinks },
  query: SavedQuery,
  command: RunBody & { principal: Principal; queryId: string; contentType: string },
): Promise<Content | ContentElsewhere> {
  const { principal, queryId, contentType, params: given, ...options } = command;
  const { values, faults } = boundValues(query.params, given);
  if (faults.length > 0) throw new AppError('VALIDATION_FAILED', { errors: faults });
  const { sql, sourceId, datasetIds, workspaceId } = query;
  const statement = {
    workspaceId,
    rights: rightsOf(principal),
    sql,
    ...(sourceId === null ? {} : { sourceId }),
    ...(datasetIds === null ? {} : { datasetIds }),
    params: values,
    ...options,
  };
  return resultReply(deps.links, queryId, await runQuery(deps, statement, formatOf(contentType)), contentType);
}
