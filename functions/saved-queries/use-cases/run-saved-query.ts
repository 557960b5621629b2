import {
  type DownloadLinks,
  formatOf,
  type QueryDeps,
  resultReply,
  runQuery,
} from '../../../shared/domains/queries/index.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import type { Content, ContentElsewhere } from '../../../shared/platform/http/content.ts';
import { boundValues } from '../domain/parameter-values.ts';
import type { RunSavedQuery, SavedQuery } from '../schemas.ts';

/** Runs the current version like any statement, with the same limits, formats and cached answers. */
export async function runSavedQuery(
  deps: QueryDeps & { links: DownloadLinks },
  query: SavedQuery,
  command: RunSavedQuery & { principal: Principal; queryId: string; contentType: string },
): Promise<Content | ContentElsewhere> {
  const { principal, queryId, contentType, params: given, ...options } = command;
  const { values, issues } = boundValues(query.params, given);
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  const { sql, sourceId, datasetIds, workspaceId } = query;
  const statement = {
    workspaceId,
    principal,
    sql,
    ...(sourceId === null ? {} : { sourceId }),
    ...(datasetIds === null ? {} : { datasetIds }),
    params: values,
    ...options,
  };
  return resultReply(deps.links, queryId, await runQuery(deps, statement, formatOf(contentType)), contentType);
}
