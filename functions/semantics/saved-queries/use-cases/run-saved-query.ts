import {
  type DownloadLinks,
  formatOf,
  type QueryDeps,
  resultReply,
} from '../../../../shared/domains/semantics/queries/index.ts';
import { type RunSaved, runSaved, type SavedQuery } from '../../../../shared/domains/semantics/saved-queries/index.ts';
import type { Content, ContentElsewhere } from '../../../../shared/platform/http/content.ts';

/** The rows in the requested content type. */
export async function runSavedQuery(
  deps: QueryDeps & { links: DownloadLinks },
  query: SavedQuery,
  { queryId, contentType, ...command }: RunSaved & { queryId: string; contentType: string },
): Promise<Content | ContentElsewhere> {
  return resultReply(deps.links, queryId, await runSaved(deps, query, command, formatOf(contentType)), contentType);
}
