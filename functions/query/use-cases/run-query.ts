import type { Principal } from '../../../shared/auth/principal.ts';
import type { Content, ContentElsewhere } from '../../../shared/http/content.ts';
import { rightsOf } from '../../../shared/query/command.ts';
import type { DownloadLinks } from '../../../shared/query/download-links.ts';
import { formatOf, resultReply } from '../../../shared/query/result-reply.ts';
import { type QueryDeps, runQuery as run } from '../../../shared/query/run-query.ts';
import type { QueryBody } from '../schemas.ts';

/** Runs the statement over the named datasets as they are now, or over a source. */
export async function runQuery(
  deps: QueryDeps & { links: DownloadLinks },
  command: QueryBody & { principal: Principal; queryId: string; contentType: string },
): Promise<Content | ContentElsewhere> {
  const { principal, queryId, contentType, ...statement } = command;
  const { workspaceId } = principal;
  const answer = await run(deps, { ...statement, workspaceId, rights: rightsOf(principal) }, formatOf(contentType));
  return resultReply(deps.links, queryId, answer, contentType);
}
