import { createHash } from 'node:crypto';
import { type CardDeps, seenParts } from '../../../../shared/domains/cards/index.ts';
import type { ChartSpec } from '../../../../shared/domains/charts/index.ts';
import {
  hasFilters,
  type ScheduleRecord,
  type SentStates,
  type SkipReason,
  type StoredFile,
  type StoredScheduleMail,
} from '../../../../shared/domains/dashboard-schedules/index.ts';
import type { DashboardParts } from '../../../../shared/domains/dashboards/index.ts';
import type { Deliverable, DeliveryRecipient, DeliveryRun } from '../../../../shared/domains/deliveries/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import { mailBlocks } from './mail-blocks.ts';
import { type CardResult, readCards, shownCards, sourcesOf } from './mailed-cards.ts';

export interface DashboardDeps extends CardDeps {
  states: SentStates;
  /** The principal of the member; undefined if they have left the workspace or are deactivated. */
  member(place: { workspaceId: string; companyId: string; userId: string }): Promise<Principal | undefined>;
  /** A principal that sees what every member may see. */
  outsider(place: { workspaceId: string; companyId: string }): Promise<Principal>;
  deliveryDomains(workspaceId: string): Promise<readonly string[]>;
  isProtectedSource(workspaceId: string, source: ChartSource): Promise<boolean>;
  /** Undefined if the file is too large for an email. Throws the errors of the export. */
  file(schedule: ScheduleRecord, principal: Principal): Promise<StoredFile | undefined>;
  report(error: unknown, schedule: ScheduleRecord): void;
}

type ChartSource = ChartSpec['query']['source'];
type ScheduleRun = DeliveryRun<ScheduleRecord>;
type Seen = Awaited<ReturnType<typeof seenParts>>;
type Written = { mail: StoredScheduleMail; also?: TransactItem[] };

/** The dashboard, unless it or its page was deleted. */
export async function openDashboard(
  deps: DashboardDeps,
  running: ScheduleRun,
): Promise<Deliverable<StoredScheduleMail> | { stop: string }> {
  const { workspaceId, dashboardId, pageId } = running.delivery;
  const state = await deps.store.read({ workspaceId, dashboardId });
  if (!state || state.record.deletedAt !== null) return { stop: 'DASHBOARD_DELETED' };
  if (pageId !== null && !state.pages.some(({ id }) => id === pageId)) return { stop: 'PAGE_DELETED' };
  if (!hasFilters(state, running.delivery)) return { stop: 'FILTER_DELETED' };
  return {
    write: (recipient) => dashboardMail(deps, running, recipient),
    left: (recipient) => skipped(recipient, 'NOT_A_MEMBER'),
    ended: async () => [],
  };
}

const mailOf = (recipient: DeliveryRecipient) => ({
  ...recipient,
  ...{ cardCount: 0, failedCardCount: 0, file: null, error: null, sentAt: null },
});

const skipped = (recipient: DeliveryRecipient, reason: SkipReason): StoredScheduleMail => ({
  ...mailOf(recipient),
  status: 'skipped',
  reason,
});

async function dashboardMail(
  deps: DashboardDeps,
  running: ScheduleRun,
  recipient: DeliveryRecipient,
): Promise<Written> {
  const { delivery: schedule, run } = running;
  const reader = await readerOf(deps, running, recipient);
  if (typeof reader === 'string') return { mail: skipped(recipient, reader) };
  const { principal, seen } = reader;
  const cards = await readCards(deps, schedule, { principal, parts: seen });
  const counts = { cardCount: cards.length, failedCardCount: cards.filter((card) => 'error' in card).length };
  const place = { workspaceId: schedule.workspaceId, deliveryId: schedule.id, userId: recipient.userId };
  const rowsDigest = digestOf(cards);
  if (run.trigger.kind === 'schedule') {
    const unmet = await unmetCondition(schedule, cards, rowsDigest, () => deps.states.read(place));
    if (unmet) return { mail: { ...skipped(recipient, unmet), ...counts } };
  }
  const mail: StoredScheduleMail = {
    ...mailOf(recipient),
    ...counts,
    ...(await fileFor(deps, schedule, principal)),
    status: 'queued',
    reason: null,
    content: await contentOf(deps, running, { seen, cards }),
  };
  return { mail, also: [deps.states.item(place, rowsDigest)] };
}

/** The principal that reads the dashboard for the recipient, with what it may see; otherwise the reason to skip the recipient. */
async function readerOf(
  deps: DashboardDeps,
  { delivery: schedule, workspace: { companyId } }: ScheduleRun,
  { userId, address }: DeliveryRecipient,
): Promise<{ principal: Principal; seen: Seen } | SkipReason> {
  const { workspaceId, dashboardId, pageId } = schedule;
  if (address !== undefined && !(await deps.deliveryDomains(workspaceId)).includes(domainOf(address)))
    return 'DOMAIN_NOT_ALLOWED';
  const principal =
    address === undefined
      ? await deps.member({ workspaceId, companyId, userId })
      : await deps.outsider({ workspaceId, companyId });
  if (!principal) return 'NOT_A_MEMBER';
  const seen = await seenParts(deps, { principal, id: dashboardId }).catch(noneIfNotFound);
  if (!seen || (pageId !== null && !seen.pages.some(({ id }) => id === pageId))) return 'NO_ACCESS';
  if (address !== undefined) {
    for (const source of sourcesOf(seen, pageId)) {
      if (await deps.isProtectedSource(workspaceId, source)) return 'ROW_RIGHTS';
    }
  }
  return { principal, seen };
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

function noneIfNotFound(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'DASHBOARD_NOT_FOUND') return undefined;
  throw error;
}

/** Counts cards that fail as rows, so that the email is sent and reports them. */
async function unmetCondition(
  { condition }: ScheduleRecord,
  cards: readonly CardResult[],
  rowsDigest: string,
  previous: () => Promise<string | undefined>,
): Promise<SkipReason | undefined> {
  if (condition === 'hasRows')
    return cards.some((card) => 'error' in card || card.rows.rowCount > 0) ? undefined : 'NO_ROWS';
  return condition === 'changed' && (await previous()) === rowsDigest ? 'UNCHANGED' : undefined;
}

function digestOf(cards: readonly CardResult[]): string {
  const hash = createHash('sha256');
  for (const result of cards) {
    const shown =
      'error' in result
        ? result.error.code
        : [result.rows.columns.map(({ name, type }) => [name, type]), result.rows.rowsJson];
    hash.update(JSON.stringify([result.card.id, shown]));
  }
  return hash.digest('base64url');
}

/** If the file cannot be created, the email is sent without it. */
async function fileFor(
  deps: DashboardDeps,
  schedule: ScheduleRecord,
  principal: Principal,
): Promise<Pick<StoredScheduleMail, 'file' | 'error'>> {
  if (schedule.format === null) return { file: null, error: null };
  try {
    const file = await deps.file(schedule, principal);
    const message = 'The file is larger than 5 MB. Export the dashboard instead.';
    return file ? { file, error: null } : { file: null, error: { code: 'FILE_TOO_LARGE', message } };
  } catch (error) {
    if (error instanceof AppError) return { file: null, error: { code: error.code, message: error.message } };
    deps.report(error, schedule);
    return {
      file: null,
      error: {
        code: 'INTERNAL',
        message: 'The file could not be created because of an internal error. Export the dashboard instead.',
      },
    };
  }
}

async function contentOf(
  deps: DashboardDeps,
  { delivery: schedule, members, workspace }: ScheduleRun,
  { seen, cards }: { seen: Seen; cards: readonly CardResult[] },
) {
  const { dashboardId, pageId, timezone } = schedule;
  const { blocks, leftOutCount } = await mailBlocks(shownCards(seen, pageId), cards);
  return {
    dashboardId,
    dashboardName: seen.name,
    scheduleName: schedule.name,
    pageName: pageNameOf(seen, pageId),
    workspaceName: workspace.name,
    ownerName: members.get(schedule.owner.userId)!.name,
    asOf: new Intl.DateTimeFormat('en-GB', { timeZone: timezone, dateStyle: 'long', timeStyle: 'short' }).format(
      deps.now(),
    ),
    blocks,
    leftOutCount,
  };
}

const pageNameOf = ({ pages }: DashboardParts, pageId: string | null): string | null =>
  pages.find(({ id }) => id === pageId)?.name ?? null;
