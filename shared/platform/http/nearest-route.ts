import { distance } from 'fastest-levenshtein';
import type { Method } from './route.ts';

export interface Routed {
  method: Method;
  path: string;
}

/** A third of a segment may differ, which allows for typos but not for other words. */
const MAX_SHARE = 1 / 3;
/** What a segment that is too many counts. */
const EXTRA = 4;

/**
 * The route that a request for an unknown path may mean, such as `GET /api/pipelines/{id}`: one whose segments differ
 * by typos, or that lacks one of those sent. Of equally near ones, one that has the method. Undefined if none is near.
 */
export function nearestRoute(routes: readonly Routed[], method: string, path: string): string | undefined {
  const sent = segmentsOf(path);
  if (sent.length < 2) return undefined;
  let best: { route: Routed; edits: number } | undefined;
  for (const route of routes) {
    const known = segmentsOf(route.path);
    if (known.length < 2) continue;
    const edits = editsBetween(sent, known) + (route.method === method ? 0 : 0.5);
    if (edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { route, edits };
  }
  return best && `${best.route.method} ${best.route.path}`;
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/** Infinite for routes that are not near. */
function editsBetween(sent: readonly string[], known: readonly string[]): number {
  if (sent.length === known.length) return sent.reduce((sum, each, i) => sum + segmentEdits(each, known[i]!), 0);
  if (sent.length !== known.length + 1) return Number.POSITIVE_INFINITY;
  const shorter = sent.map((_, left) => sent.toSpliced(left, 1));
  return EXTRA + Math.min(...shorter.map((segments) => editsBetween(segments, known)));
}

function segmentEdits(sent: string, known: string): number {
  // An exact segment is nearer than a parameter.
  if (known.startsWith('{')) return 0.25;
  const edits = distance(sent.toLowerCase(), known);
  return edits <= Math.floor(Math.max(sent.length, known.length) * MAX_SHARE) ? edits : Number.POSITIVE_INFINITY;
}
