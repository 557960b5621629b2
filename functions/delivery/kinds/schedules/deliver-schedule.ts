import { createHash } from 'node:crypto';
import { filtersInForce, withDefaults } from '../../../../shared/domains/boards/cards/index.ts';
import type { ChartDeps, ChartSpec } from '../../../../shared/domains/boards/charts/index.ts';
import {
  hasFilters,
  type ScheduleKind,
  type ScheduleRecord,
  type SentStates,
  type SkipReason,
  type StopReason,
  type StoredFile,
  type StoredScheduleMail,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { type Themes, tokensOf } from '../../../../shared/domains/boards/themes/index.ts';
import {
  type Deliverable,
  type DeliveryRecipient,
  type DeliveryRun,
  isPerson,
} from '../../../../shared/domains/delivery/deliveries/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import { zonedTimeText } from '../../../../shared/platform/text/time-text.ts';
import { mailBlocks } from './mail-blocks.ts';
import { mailPictures, NO_PICTURES, type PictureDeps } from './mail-pictures.ts';
import { type CardResult, readCards, showCards, sourcesOf } from './mailed-cards.ts';
import type { SeenContent } from './seen-content.ts';

/** What a schedule of a kind sends. */
export interface Content<S extends ScheduleRecord> {
  kind: ScheduleKind<S>;
  /** Why there is nothing to send. */
  stopReason(schedule: S): Promise<StopReason | undefined>;
  /** Undefined if the principal does not see it. */
  seen(schedule: S, principal: Principal): Promise<SeenContent | undefined>;
  /** Undefined if the file is too large for an email. Throws the errors of the export. */
  file(schedule: S, principal: Principal): Promise<StoredFile | undefined>;
  /** For the transaction that ends the run. */
  ended(running: ScheduleRun<S>, mails: readonly StoredScheduleMail[]): Promise<TransactItem[]>;
}

export interface ScheduleDeps {
  charts: ChartDeps;
  states: SentStates;
  /** The principal of the member; undefined if they have left the workspace or are deactivated. */
  member(place: { workspaceId: string; companyId: string; userId: string }): Promise<Principal | undefined>;
  /** A principal that sees what every member may see. */
  outsider(place: { workspaceId: string; companyId: string }): Promise<Principal>;
  deliveryDomains(workspaceId: string): Promise<readonly string[]>;
  isProtectedSource(workspaceId: string, source: ChartSource): Promise<boolean>;
  themes: Themes;
  pictures: PictureDeps;
  report(error: unknown, schedule: ScheduleRecord): void;
  now(): Date;
}

type ChartSource = ChartSpec['query']['source'];
export type ScheduleRun<S extends ScheduleRecord> = DeliveryRun<S>;
type Written = { mail: StoredScheduleMail; also?: TransactItem[] };

/** The dashboard, report or story, unless it or what the schedule refers to was deleted. */
export async function openSchedule<S extends ScheduleRecord>(
  deps: ScheduleDeps,
  content: Content<S>,
  running: ScheduleRun<S>,
): Promise<Deliverable<StoredScheduleMail> | { stop: string }> {
  const stop = await content.stopReason(running.delivery);
  if (stop) return { stop };
  return {
    write: (recipient) => scheduleMail(deps, content, running, recipient),
    left: (recipient) => skipped(recipient, 'NOT_A_MEMBER'),
    ended: (mails) => content.ended(running, mails),
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

async function scheduleMail<S extends ScheduleRecord>(
  deps: ScheduleDeps,
  content: Content<S>,
  running: ScheduleRun<S>,
  recipient: DeliveryRecipient,
): Promise<Written> {
  const { delivery: schedule, run } = running;
  const reader = await readerOf(deps, content, running, recipient);
  if (typeof reader === 'string') return { mail: skipped(recipient, reader) };
  const { principal, seen } = reader;
  const cards = await readCards(deps.charts, schedule, { principal, seen });
  const counts = { cardCount: cards.length, failedCardCount: cards.filter((card) => 'error' in card).length };
  const place = { workspaceId: schedule.workspaceId, deliveryId: schedule.id, userId: recipient.userId };
  const rowsDigest = digestOf(cards, seen);
  if (run.trigger.kind === 'schedule') {
    const unmet = await unmetCondition(schedule, cards, rowsDigest, () => deps.states.read(place));
    if (unmet) return { mail: { ...skipped(recipient, unmet), ...counts } };
  }
  const mail: StoredScheduleMail = {
    ...mailOf(recipient),
    ...counts,
    ...(hasFile(schedule, recipient) && (await fileFor(deps, content, schedule, principal))),
    status: 'queued',
    reason: null,
    content: await contentOf(deps, content, running, { principal, seen, cards, hasPictures: !recipient.isTarget }),
  };
  return { mail, also: [deps.states.item(place, rowsDigest)] };
}

/** The principal that reads for the recipient, with what it may see; otherwise the reason to skip the recipient. */
async function readerOf<S extends ScheduleRecord>(
  deps: ScheduleDeps,
  content: Content<S>,
  { delivery: schedule, workspace: { companyId } }: ScheduleRun<S>,
  recipient: DeliveryRecipient,
): Promise<{ principal: Principal; seen: SeenContent } | SkipReason> {
  const { workspaceId } = schedule;
  const domain = domainOf(schedule, recipient);
  if (domain === null) return 'TARGET_REMOVED';
  if (domain !== undefined && !(await deps.deliveryDomains(workspaceId)).includes(domain)) return 'DOMAIN_NOT_ALLOWED';
  const principal = isPerson(recipient)
    ? await deps.member({ workspaceId, companyId, userId: recipient.userId })
    : await deps.outsider({ workspaceId, companyId });
  if (!principal) return 'NOT_A_MEMBER';
  const seen = await content.seen(schedule, principal);
  if (!seen || (seen.pageId !== null && !seen.pages.some(({ id }) => id === seen.pageId))) return 'NO_ACCESS';
  // The draft may have a filter that the published version lacks: the email would have rows that the schedule leaves
  // out.
  if (!hasFilters(seen, schedule)) return 'FILTER_NOT_PUBLISHED';
  if (!isPerson(recipient)) {
    for (const source of sourcesOf(seen)) if (await deps.isProtectedSource(workspaceId, source)) return 'ROW_RIGHTS';
  }
  return { principal, seen };
}

/** Where rows leave the workspace to; undefined for members, and null for a target that the schedule no longer has. */
function domainOf(
  { targets = [] }: ScheduleRecord,
  { userId, address, isTarget }: DeliveryRecipient,
): string | undefined | null {
  if (!isTarget) return address?.slice(address.lastIndexOf('@') + 1);
  const target = targets.find(({ id }) => id === userId);
  return target ? new URL(target.origin).hostname : null;
}

/** Messages in chats have no files. */
const hasFile = ({ targets = [] }: ScheduleRecord, { userId, isTarget }: DeliveryRecipient): boolean =>
  !isTarget || targets.some(({ id, type }) => id === userId && type === 'webhook');

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

function digestOf(cards: readonly CardResult[], { text = '' }: SeenContent): string {
  const hash = createHash('sha256').update(text);
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
async function fileFor<S extends ScheduleRecord>(
  deps: ScheduleDeps,
  content: Content<S>,
  schedule: S,
  principal: Principal,
): Promise<Pick<StoredScheduleMail, 'file' | 'error'>> {
  if (schedule.format === null) return { file: null, error: null };
  const instead = `Export the ${content.kind.name} instead.`;
  try {
    const file = await content.file(schedule, principal);
    const message = `The file is larger than 5 MB. ${instead}`;
    return file ? { file, error: null } : { file: null, error: { code: 'FILE_TOO_LARGE', message } };
  } catch (error) {
    if (error instanceof AppError) return { file: null, error: { code: error.code, message: error.message } };
    deps.report(error, schedule);
    const message = `The file could not be created because of an internal error. ${instead}`;
    return { file: null, error: { code: 'INTERNAL', message } };
  }
}

interface Reading {
  principal: Principal;
  seen: SeenContent;
  cards: readonly CardResult[];
}

/** When the oldest rows were computed, with the time zone; null if no card has data. */
function asOfText(cards: readonly CardResult[], timeZone: string): string | null {
  const [oldest] = cards.flatMap((card) => ('rows' in card ? [card.rows.asOf] : [])).sort();
  return oldest === undefined ? null : zonedTimeText(oldest, timeZone);
}

async function contentOf<S extends ScheduleRecord>(
  deps: ScheduleDeps,
  { kind }: Content<S>,
  { delivery: schedule, members, workspace }: ScheduleRun<S>,
  { principal, seen, cards, hasPictures }: Reading & { hasPictures: boolean },
) {
  const { workspaceId } = schedule;
  const filters = withDefaults(seen, schedule.filters ?? []);
  const shown = showCards(seen);
  const theme = await tokensOf(deps.themes, workspaceId, seen.theme);
  const { pictures, byCard } = hasPictures
    ? await mailPictures(deps.pictures, { cards: shown, results: cards }, { workspaceId, theme })
    : NO_PICTURES;
  const { blocks, leftOutCount } = await mailBlocks(shown, cards, byCard);
  return {
    objectId: kind.objectOf(schedule),
    objectName: seen.name,
    scheduleName: schedule.name,
    pageName: seen.pages.find(({ id }) => id === seen.pageId)?.name ?? null,
    workspaceName: workspace.name,
    ownerName: members.get(schedule.owner.userId)!.name,
    asOf: asOfText(cards, schedule.timezone),
    filters: [
      ...(seen.chosen ?? []),
      ...(await filtersInForce(deps.charts, { principal, parts: seen, filters }, shown)),
    ],
    blocks,
    pictures,
    leftOutCount,
  };
}
