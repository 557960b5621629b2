import { expecting } from '../../storage/expectation.ts';
import type { Call } from '../bind.ts';
import { badIfMatch, readIfMatch } from '../entity-tag.ts';
import type { HttpReply } from '../problem.ts';
import { type Route, takesIfMatch } from '../route.ts';

/**
 * Runs the work under the client's `If-Match`, if the request has one: a write then fails unless the record has that
 * revision.
 */
export async function withIfMatch(route: Route, call: Call, work: () => Promise<HttpReply>): Promise<HttpReply> {
  const ifMatch = call.headers['if-match'];
  if (ifMatch === undefined || route.method === 'GET' || route.method === 'POST') return work();
  if (!takesIfMatch(route)) throw badIfMatch('is not supported here: the record has no revisions');
  const name = /\{(\w+)\}[^{]*$/.exec(route.path)?.[1];
  const id = name && (call.params as Record<string, string>)[name];
  return expecting({ id, revisions: readIfMatch(ifMatch) }, work);
}
