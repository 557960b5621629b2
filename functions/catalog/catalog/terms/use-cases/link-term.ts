import type { TermLink as StoredLink } from '../../../../../shared/domains/catalog/terms/index.ts';
import type { Subject } from '../../../../../shared/domains/tenancy/subjects/index.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import { inParallel } from '../../../../../shared/platform/concurrency/in-parallel.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import type { PageOf } from '../../../../../shared/platform/storage/page.ts';
import type { TermLink } from '../schemas.ts';
import { findTerm, type OfTerm, type TermDeps } from './context.ts';

type OfLink = OfTerm & Pick<StoredLink, 'type' | 'objectId'>;

/** How many objects are looked up at the same time. */
const WIDTH = 20;

/** Throws `TERM_NOT_FOUND`. */
export async function listLinks(
  deps: TermDeps,
  { principal, id }: OfTerm,
  { limit, offset }: { limit: number; offset: number },
): Promise<PageOf<TermLink>> {
  const term = await findTerm(deps, { workspaceId: principal.workspaceId, id });
  const visible = await visibleLinks(deps, principal, await deps.links.read(term));
  return { items: visible.slice(offset, offset + limit), total: visible.length, limit, offset };
}

/** Throws `TERM_NOT_FOUND`, `TERM_FULL`, and `TERM_OBJECT_NOT_FOUND` also for an object that the caller cannot see. */
export async function setLink(
  deps: TermDeps,
  { role, ...request }: OfLink & Pick<StoredLink, 'role'>,
): Promise<TermLink> {
  const { principal, id, type, objectId } = request;
  const term = await findTerm(deps, { workspaceId: principal.workspaceId, id });
  const object = await findObject(deps, request);
  const stamps = { createdBy: principal.userId, createdAt: deps.now().toISOString() };
  return showLink(await deps.links.set(term, { type, objectId, role, ...stamps }), object);
}

/** Throws `TERM_NOT_FOUND` and `TERM_OBJECT_NOT_FOUND`. */
export async function removeLink(deps: TermDeps, request: OfLink): Promise<void> {
  const term = await findTerm(deps, { workspaceId: request.principal.workspaceId, id: request.id });
  await findObject(deps, request);
  await deps.links.remove(term, request);
}

/** Those to objects that the caller can see, sorted by type and name. */
export async function visibleLinks(
  deps: Pick<TermDeps, 'subjects'>,
  principal: Principal,
  links: readonly StoredLink[],
): Promise<TermLink[]> {
  const visible: TermLink[] = [];
  await inParallel(WIDTH, links, async (link) => {
    const object = await deps.subjects.find(principal, { type: link.type, id: link.objectId });
    if (object) visible.push(showLink(link, object));
  });
  const order = ({ type, name, objectId }: TermLink) => [type, name, objectId].join('\n');
  return visible.sort((a, b) => order(a).localeCompare(order(b), 'en'));
}

async function findObject(deps: TermDeps, { principal, type, objectId }: OfLink): Promise<Subject> {
  const object = await deps.subjects.find(principal, { type, id: objectId });
  if (!object) throw new AppError('TERM_OBJECT_NOT_FOUND');
  return object;
}

const showLink = ({ type, objectId, role, createdBy, createdAt }: StoredLink, { name }: Subject): TermLink => ({
  type,
  objectId,
  name,
  role,
  createdBy,
  createdAt,
});
