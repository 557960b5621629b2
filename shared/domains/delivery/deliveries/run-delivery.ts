import type { TransactItem } from '../../../platform/storage/table.ts';
import type { MailQueue } from '../mails/index.ts';
import type { DeliveryKind } from './kind.ts';
import { isPerson, mayReceive, peopleOf, stopReason } from './people.ts';
import type { DeliveryMessage, ReportQueue, TargetQueue } from './queue.ts';
import { type Delivery, newRun, type RunPlace, type StoredMail, type StoredRun } from './records.ts';
import { type DeliveryRuns, scheduledRunId } from './runs.ts';
import { isPlanned } from './times.ts';

const MINUTE_MS = 60_000;
/** The tick continues a run whose message was lost. */
const CONTINUE_AFTER_MS = 15 * MINUTE_MS;
const MAX_RUN_MS = 6 * 60 * MINUTE_MS;
/** More than start while a run takes as long as it may. */
const RECENT_RUNS = 60;

export interface Named {
  name: string;
  membershipId: string;
  isActive: boolean;
}

/** A run at work. */
export interface DeliveryRun<D extends Delivery> {
  delivery: D;
  run: StoredRun;
  members: ReadonlyMap<string, Named>;
  workspace: { name: string; companyId: string };
  /** The moment whose data is delivered. */
  at: Date;
}

type Recipient = StoredRun['recipients'][number];

/** What a run delivers. */
export interface Deliverable<Mail extends StoredMail> {
  /** The mail to a recipient, and items for the transaction that stores it. Called again after a crash. */
  write(recipient: Recipient): Promise<{ mail: Mail; also?: TransactItem[] }>;
  /** The mail to a member who has left since. */
  left(recipient: Recipient): Mail;
  /** Items for the transaction that ends the run, all of whose mails have been written. */
  ended(mails: readonly Mail[]): Promise<TransactItem[]>;
}

export interface DeliveryDeps<D extends Delivery, Mail extends StoredMail> {
  kind: DeliveryKind;
  deliveries: { get(workspaceId: string, id: string): Promise<D | undefined> };
  runs: DeliveryRuns<Mail>;
  /** What there is to deliver, or why there is nothing. */
  open(run: DeliveryRun<D>): Promise<Deliverable<Mail> | { stop: string }>;
  /** Items for the transaction that ends a run that could not be completed. */
  failed?(delivery: D, run: StoredRun): Promise<TransactItem[]>;
  /** Undefined while the workspace is deleted. */
  workspace(id: string): Promise<{ name: string; companyId: string } | undefined>;
  members(workspaceId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, Named>>;
  /** The ids of the admins of the workspace, who are notified when an owner is deactivated. */
  admins(workspaceId: string): Promise<string[]>;
  mails: MailQueue;
  /** For deliveries that have targets. */
  targets?: Pick<TargetQueue, 'send'>;
  queue: Pick<ReportQueue, 'send'>;
  now(): Date;
  /** Whether the worker must stop; the next message continues. */
  isOver(): boolean;
}

/**
 * Starts the run of an instant of the schedule once, however often its message is delivered. It is skipped while the
 * run of an earlier instant has not ended.
 */
export async function runDueDelivery<D extends Delivery, Mail extends StoredMail>(
  deps: DeliveryDeps<D, Mail>,
  { workspaceId, deliveryId, scheduledAt }: Extract<DeliveryMessage, { op: 'delivery-due' }>,
): Promise<void> {
  const at = new Date(scheduledAt);
  const delivery = await deps.deliveries.get(workspaceId, deliveryId);
  if (!delivery || !isPlanned(delivery, at) || !(await deps.workspace(workspaceId))) return;
  const id = scheduledRunId(deps.kind, deliveryId, at);
  const now = deps.now();
  const run = newRun(delivery, { id, trigger: { kind: 'schedule', scheduledAt, actor: null }, at: now });
  const place = { workspaceId, deliveryId };
  const isStillRunning = (await deps.runs.list(place, RECENT_RUNS)).some(
    (other) => other.id !== id && other.status === 'queued' && other.trigger.kind === 'schedule',
  );
  const skipped = { status: 'skipped', reason: 'STILL_RUNNING', finishedAt: now.toISOString() } as const;
  await deps.runs.create(place, isStillRunning ? { ...run, ...skipped } : run, continueAt(now));
  await continueRun(deps, { ...place, runId: id });
}

/**
 * Writes the mails that are left, and ends the run. A mail that was written is sent again to the queue, not written
 * again. Does nothing while another worker is at it.
 */
export async function continueRun<D extends Delivery, Mail extends StoredMail>(
  deps: DeliveryDeps<D, Mail>,
  place: RunPlace,
): Promise<void> {
  const run = await deps.runs.get(place);
  if (run?.status !== 'queued') return;
  const now = deps.now();
  // The tick continues the run if this worker crashes.
  const lease = await deps.runs.claim(place, now, continueAt(now));
  if (!lease) return;
  let isUnfinished = true;
  try {
    isUnfinished = !(await workOn(deps, place, run));
  } finally {
    // Before the message that continues the run, whose worker would find it claimed.
    await deps.runs.release(place, lease);
  }
  const message = { op: 'delivery-run', kind: deps.kind.name, ...place } as const;
  if (isUnfinished) await deps.queue.send([{ message, delaySeconds: 0 }]);
}

/** Returns false if mails are left to write. */
async function workOn<D extends Delivery, Mail extends StoredMail>(
  deps: DeliveryDeps<D, Mail>,
  place: RunPlace,
  run: StoredRun,
): Promise<boolean> {
  const { workspaceId, deliveryId } = place;
  const now = deps.now();
  const [delivery, workspace] = await Promise.all([
    deps.deliveries.get(workspaceId, deliveryId),
    deps.workspace(workspaceId),
  ]);
  const isTooLate = now.getTime() - Date.parse(run.createdAt) > MAX_RUN_MS;
  if (!delivery || !workspace || isTooLate) {
    const also = delivery && workspace ? await deps.failed?.(delivery, run) : undefined;
    return deps.runs.end(place, { status: 'failed', reason: null }, now, also ?? []).then(() => true);
  }
  const people = { owner: delivery.owner, recipients: run.recipients };
  const members = await deps.members(workspaceId, peopleOf(people));
  const at = new Date(run.trigger.scheduledAt ?? minuteOf(run.createdAt));
  const reason = stopReason(people, members);
  if (reason === 'OWNER_INACTIVE') await notifyAdmins(deps, place);
  const opened = reason === null ? await deps.open({ delivery, run, members, workspace, at }) : { stop: reason };
  if ('stop' in opened)
    return deps.runs.end(place, { status: 'skipped', reason: opened.stop }, now, []).then(() => true);
  return writeMails(deps, opened, { place, run, members });
}

/** Before the run ends, so that a crash loses no notice. Only the first of several skipped runs sends one. */
async function notifyAdmins<D extends Delivery, Mail extends StoredMail>(
  { kind, runs, mails, admins }: DeliveryDeps<D, Mail>,
  { runId, ...place }: RunPlace,
): Promise<void> {
  const previous = (await runs.list(place, RECENT_RUNS)).find(({ id }) => id < runId);
  if (previous?.reason === 'OWNER_INACTIVE') return;
  for (const userId of await admins(place.workspaceId)) {
    await mails?.send({ ...place, kind: 'ownerInactive', delivery: kind.name, userId });
  }
}

async function writeMails<D extends Delivery, Mail extends StoredMail>(
  deps: DeliveryDeps<D, Mail>,
  deliverable: Deliverable<Mail>,
  { place, run, members }: { place: RunPlace; run: StoredRun; members: ReadonlyMap<string, Named> },
): Promise<boolean> {
  const written = new Map((await deps.runs.mails(place)).map((mail) => [mail.userId, mail]));
  const mails: Mail[] = [];
  for (const recipient of run.recipients) {
    let mail = written.get(recipient.userId);
    if (!mail && deps.isOver()) return false;
    mail ??= await writeMail(deps, deliverable, { place, recipient, members });
    if (mail.status === 'queued') await announce(deps, place, mail);
    mails.push(mail);
  }
  await deps.runs.end(place, { status: 'sent', reason: null }, deps.now(), await deliverable.ended(mails));
  return true;
}

/** Lets the worker send what was written. */
async function announce<D extends Delivery, Mail extends StoredMail>(
  { kind: { name: delivery }, mails, targets }: DeliveryDeps<D, Mail>,
  place: RunPlace,
  { userId, isTarget }: Mail,
): Promise<void> {
  if (isTarget) await targets!.send([{ message: { ...place, delivery, targetId: userId }, delaySeconds: 0 }]);
  else await mails?.send({ ...place, kind: 'delivery', delivery, userId });
}

async function writeMail<D extends Delivery, Mail extends StoredMail>(
  deps: DeliveryDeps<D, Mail>,
  deliverable: Deliverable<Mail>,
  { place, recipient, members }: { place: RunPlace; recipient: Recipient; members: ReadonlyMap<string, Named> },
): Promise<Mail> {
  const isThere = !isPerson(recipient) || mayReceive(members, recipient);
  const { mail, also } = isThere
    ? await deliverable.write(recipient)
    : { mail: deliverable.left(recipient), also: undefined };
  await deps.runs.createMail(place, mail, deps.now(), also);
  return mail;
}

const continueAt = (now: Date): Date => new Date(now.getTime() + CONTINUE_AFTER_MS);

/** Manual runs of one minute share cached answers. */
const minuteOf = (timestamp: string): number => Math.floor(Date.parse(timestamp) / MINUTE_MS) * MINUTE_MS;
