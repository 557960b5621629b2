import {
  type DownloadLinks,
  formatOf,
  type QueryDeps,
  resultReply,
  runQuery as run,
  withNearTables,
} from '../../../../shared/domains/semantics/queries/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { Content, ContentElsewhere } from '../../../../shared/platform/http/content.ts';
import type { RunQuery } from '../schemas.ts';

/** Runs the statement over the current versions of the datasets, or over a source; also returns which it may read. */
export async function runQuery(
  deps: QueryDeps & { links: DownloadLinks },
  command: RunQuery & { principal: Principal; queryId: string; contentType: string },
): Promise<{ reply: Content | ContentElsewhere; datasetIds: readonly string[] }> {
  const { principal, queryId, contentType, ...statement } = command;
  const { workspaceId } = principal;
  const asked = { ...statement, workspaceId, principal };
  const answer = await withNearTables(deps, asked, () => run(deps, asked, formatOf(contentType)));
  return { reply: await resultReply(deps.links, queryId, answer, contentType), datasetIds: answer.datasetIds };
}
