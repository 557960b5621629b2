import type { TermLink as StoredLink, TermRecord } from '../../../../../shared/domains/catalog/terms/index.ts';
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
  const link = { type, objectId, role, createdBy: principal.userId, createdAt: deps.now().toISOString() };
  try {
    return showLink(await deps.links.set(term, link), object);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'TERM_FULL')) throw error;
    await endLostLinks(deps, term);
    return showLink(await deps.links.set(term, link), object);
  }
}

/** Links to objects that no longer exist count until their place is needed. */
async function endLostLinks(deps: TermDeps, term: TermRecord): Promise<void> {
  const links = (await deps.links.read(term)).map((link) => ({ ...link, id: link.objectId }));
  const stored = new Set(await deps.subjects.stored(term.workspaceId, links));
  const lost = links.filter((link) => !stored.has(link));
  await inParallel(WIDTH, lost, (link) => deps.links.remove(term, link));
}

/**
 * Also removes a link to an object that no longer exists. Throws `TERM_NOT_FOUND`, and `TERM_OBJECT_NOT_FOUND` also for
 * an object that the caller cannot see.
 */
export async function removeLink(deps: TermDeps, request: OfLink): Promise<void> {
  const { principal, id, type, objectId } = request;
  const { workspaceId } = principal;
  const term = await findTerm(deps, { workspaceId, id });
  if (!(await seenObject(deps, request))) {
    const links = await deps.links.read(term);
    const isLinked = links.some((link) => link.type === type && link.objectId === objectId);
    const isLost = isLinked && (await deps.subjects.stored(workspaceId, [{ type, id: objectId }])).length === 0;
    if (!isLost) throw new AppError('TERM_OBJECT_NOT_FOUND');
  }
  await deps.links.remove(term, request);
}

/** Those to objects that the caller can see, sorted by type and name. */
export async function visibleLinks(
  deps: Pick<TermDeps, 'subjects' | 'mayRead'>,
  principal: Principal,
  links: readonly StoredLink[],
): Promise<TermLink[]> {
  const visible: TermLink[] = [];
  await inParallel(WIDTH, links, async (link) => {
    const object = await seenObject(deps, { principal, ...link });
    if (object) visible.push(showLink(link, object));
  });
  const order = ({ type, name, objectId }: TermLink) => [type, name, objectId].join('\n');
  return visible.sort((a, b) => order(a).localeCompare(order(b), 'en'));
}

async function findObject(deps: TermDeps, request: OfLink): Promise<Subject> {
  const object = await seenObject(deps, request);
  if (!object) throw new AppError('TERM_OBJECT_NOT_FOUND');
  return object;
}

/** Undefined if the caller does not see it, also without the permission or the product for its kind. */
async function seenObject(
  { subjects, mayRead }: Pick<TermDeps, 'subjects' | 'mayRead'>,
  { principal, type, objectId }: Omit<OfLink, 'id'>,
): Promise<Subject | undefined> {
  const kind = subjects.kind(type);
  if (!kind || !(await mayRead(principal, kind.read))) return undefined;
  return subjects.find(principal, { type, id: objectId });
}

const showLink = ({ type, objectId, role, createdBy, createdAt }: StoredLink, { name }: Subject): TermLink => ({
  type,
  objectId,
  name,
  role,
  createdBy,
  createdAt,
});
