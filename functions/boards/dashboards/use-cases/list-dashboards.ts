import { type DashboardRecord, type Sight, sightOf } from '../../../../shared/domains/boards/dashboards/index.ts';
import type { ReceivedGrant } from '../../../../shared/domains/tenancy/grants/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { isFound, MAX_OFFSET, selectPage } from '../../../../shared/platform/storage/list-request.ts';
import { type CursorPageOf, type PageOf, pageOf, viewPage } from '../../../../shared/platform/storage/page.ts';
import type { DashboardCursorQuery, DashboardListQuery, DashboardSummary } from '../schemas.ts';
import type { DashboardDeps } from './context.ts';
import { showSummary, viewerMeta } from './views.ts';

type Filters = Pick<DashboardListQuery, 'includeDeleted' | 'stage' | 'publishedOnly' | 'name' | 'search' | 'include'>;

/** A dashboard that the caller sees. */
interface Seen {
  record: DashboardRecord;
  sight: Sight;
  grant: ReceivedGrant | undefined;
}

/** Throws `OFFSET_TOO_LARGE` or `LIST_TOO_LARGE`. */
export async function listDashboards(
  deps: DashboardDeps,
  principal: Principal,
  { limit, offset, sort, ...filters }: DashboardListQuery,
): Promise<PageOf<DashboardSummary>> {
  if (offset > MAX_OFFSET) throw new AppError('OFFSET_TOO_LARGE');
  const seen = new Map((await seenDashboards(deps, principal, filters)).map((each) => [each.record.id, each]));
  const named = [...seen.values()].map((each) => ({ ...each.record, name: showName(each) }));
  const page = selectPage(named, { limit, offset, sort: sort === 'created' ? '-createdAt' : sort });
  return viewPage(page, (items) =>
    summarize(
      deps,
      principal,
      items.map(({ id }) => seen.get(id)!),
      filters,
    ),
  );
}

/** Throws `LIST_TOO_LARGE` and the codes of `Cursors.open`. */
export async function pageDashboards(
  deps: DashboardDeps,
  principal: Principal,
  { limit, cursor, scope, ...filters }: DashboardCursorQuery,
): Promise<CursorPageOf<DashboardSummary>> {
  const { workspaceId, userId } = principal;
  const now = deps.now();
  const list = { workspaceId, list: ['dashboards', userId, scope, filters] };
  const place = cursor ? await deps.cursors.open(cursor, list, now) : { after: undefined, asOf: now.toISOString() };
  const all = await seenDashboards(deps, principal, filters);
  const wanted = scope === 'shared' ? all.filter(({ grant }) => grant) : all;
  const left = wanted.filter(({ record }) => place.after === undefined || positionOf(record) < place.after);
  const page = pageOf(left, { limit, offset: 0 }, (each) => each);
  const { items } = await viewPage(page, (some) => summarize(deps, principal, some, filters));
  const last = left.length > items.length ? left[items.length - 1] : undefined;
  const nextCursor = last
    ? await deps.cursors.seal({ asOf: place.asOf, after: positionOf(last.record) }, list, now)
    : null;
  return { items, total: wanted.length, nextCursor };
}

const positionOf = ({ createdAt, id }: DashboardRecord) => `${createdAt}#${id}`;

/** Newest first. */
async function seenDashboards(deps: DashboardDeps, principal: Principal, filters: Filters): Promise<Seen[]> {
  const [records, grants] = await Promise.all([
    deps.dashboards.readAll(principal.workspaceId),
    deps.grantsTo(principal),
  ]);
  return records
    .flatMap((record): Seen[] => {
      const grant = grants.get(record.id);
      const sight = sightOf(principal, record, grant);
      return sight ? [{ record, sight, grant }] : [];
    })
    .filter((each) => isWanted(each, filters));
}

function isWanted(each: Seen, { includeDeleted, stage, publishedOnly, name, search }: Filters): boolean {
  const { deletedAt, isPublished, stage: its } = each.record;
  return (
    (includeDeleted || deletedAt === null) &&
    (stage === undefined || its === stage) &&
    (!publishedOnly || isPublished) &&
    (name === undefined || showName(each) === name) &&
    isFound(search, showTexts(each))
  );
}

/** What the caller sees of the name and the description. */
function showTexts({ record, sight }: Seen): string[] {
  const { name, description } = (!sight.seesDraft && record.published) || record;
  return [name, description];
}

const showName = (each: Seen): string => showTexts(each)[0]!;

async function summarize(
  deps: DashboardDeps,
  principal: Principal,
  items: readonly Seen[],
  { include }: Filters,
): Promise<DashboardSummary[]> {
  const ids = items.map(({ record }) => record.id);
  const [contents, canExport] = await Promise.all([
    deps.store.readContents(principal.workspaceId, ids),
    include !== undefined && deps.mayExport(principal),
  ]);
  return items.flatMap(({ record, sight, grant }) => {
    const content = contents.get(record.id);
    // It was purged a moment ago.
    if (!content) return [];
    const summary = showSummary(record, content, sight);
    const meta = { isShared: grant !== undefined, canExport };
    return include ? [{ ...summary, viewerMeta: viewerMeta(principal, sight, meta) }] : [summary];
  });
}
