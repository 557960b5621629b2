import { slug } from 'github-slugger';
import type { Group } from '../../../functions/group.ts';
import type { Route } from '../../../shared/platform/http/route.ts';
import { Router } from '../../../shared/platform/http/router.ts';

export interface Operation {
  route: Route;
  /** The title of its section. */
  tag: string;
  /** Its URL on the reference page. */
  href: string;
}

export const REFERENCE_PATH = '/api/docs';

export function operationsOf(groups: readonly Group[]): Operation[] {
  return groups
    .flatMap(({ sections }) => sections)
    .flatMap(({ title, routes }) =>
      routes.map((route) => ({
        route,
        tag: title,
        href: `${REFERENCE_PATH}#tag/${slug(title)}/${route.operationId}`,
      })),
    );
}

/** Finds the URL of an operation that a text such as `GET /api/pipelines/{id}?limit=5` refers to. */
export function operationFinder(operations: readonly Operation[]): (text: string) => string | undefined {
  const router = new Router(
    operations.map(({ route: { method, path }, href }) => ({ method, path: path as string, href })),
  );
  return (text) => {
    const [, method = '', path = ''] = /^([A-Z]+) (\/api\/[^\s?]*)(\?\S*)?$/.exec(text) ?? [];
    const match = router.match(method, path);
    return match.found === 'route' ? match.route.href : undefined;
  };
}
