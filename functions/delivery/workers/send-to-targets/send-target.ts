import type {
  DeliveryTarget,
  ScheduleKind,
  ScheduleRecord,
  SkipReason,
  StoredScheduleMail,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import type {
  DeliveryRuns,
  MailPlace,
  StoredMail,
  TargetMessage,
} from '../../../../shared/domains/delivery/deliveries/index.ts';
import {
  MAX_ATTEMPTS,
  requestHeaders,
  type SendOutcome,
  send,
} from '../../../../shared/domains/events/webhooks/index.ts';
import type { DownloadLinks } from '../../../../shared/domains/semantics/queries/index.ts';
import type { SecretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { AddressBlocked, type AddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import { webhookSchemes } from '../../../../shared/platform/net/guard-from-environment.ts';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import { slackBody } from './slack-body.ts';
import { type TargetContent, type TargetMail, targetContent } from './target-content.ts';
import { targetResult } from './target-result.ts';
import { teamsBody } from './teams-body.ts';
import { webhookBody } from './webhook-body.ts';

/** The deliveries of a kind. */
export interface TargetDeliveries<S extends ScheduleRecord> {
  kind: ScheduleKind<S>;
  deliveries: { get(workspaceId: string, id: string): Promise<S | undefined> };
  runs: Pick<DeliveryRuns<StoredScheduleMail>, 'get' | 'mail' | 'claimMail' | 'postponeMail' | 'endMail'>;
  /** Whether the dashboard or report is deleted. */
  isObjectDeleted(schedule: S): Promise<boolean>;
}

export interface SendTargetDeps {
  secrets: Pick<SecretBox, 'open'>;
  guard: AddressGuard;
  links: Pick<DownloadLinks, 'sign'>;
  /** None while the workspace is deleted. */
  deliveryDomains(workspaceId: string): Promise<readonly string[]>;
  now(): Date;
  random(): number;
  timeoutMs: number;
  /** Seconds before the second, third, … attempt. */
  backoffSeconds: readonly number[];
}

/** Why the target gets nothing, or fails, without a request. */
export type Unsent = { status: 'skipped'; reason: SkipReason } | { status: 'failed'; reason: 'ADDRESS_BLOCKED' };

/** A request to a target. */
export interface OpenedRequest {
  target: DeliveryTarget;
  /** The same on every attempt. */
  id: string;
  body: object;
}

/** What a kind sends to targets. */
export interface TargetRequests<M extends StoredMail> {
  runs: Pick<DeliveryRuns<M>, 'mail' | 'claimMail' | 'postponeMail' | 'endMail'>;
  /** The request of a mail whose content is not removed yet, or why there is none. */
  open(place: MailPlace, mail: M): Promise<OpenedRequest | Unsent>;
}

/** Sends a scheduled dashboard or report. */
export const sendToTarget = <S extends ScheduleRecord>(
  deps: SendTargetDeps,
  of: TargetDeliveries<S>,
  message: TargetMessage,
): Promise<number | undefined> =>
  sendRequest(deps, { runs: of.runs, open: (place, mail) => openSchedule(deps, of, { place, mail }) }, message);

/**
 * Makes the next attempt of a delivery to a target, and returns the seconds after which the message has to come again.
 * Claiming the attempt counts it before anything is sent, so there are five requests at most, and a delivery that was
 * recorded as sent is not sent again. A worker that crashes before it records the answer leaves an attempt that is
 * repeated under the same id.
 */
export async function sendRequest<M extends StoredMail>(
  deps: SendTargetDeps,
  of: TargetRequests<M>,
  { workspaceId, deliveryId, runId, targetId }: TargetMessage,
): Promise<number | undefined> {
  const { runs } = of;
  const place = { workspaceId, deliveryId, runId, userId: targetId };
  const now = deps.now();
  const mail = await runs.claimMail(place, now);
  if (!mail?.content) return secondsUntilNext(await runs.mail(place), now);
  const attempt = mail.attempts!;
  if (attempt > MAX_ATTEMPTS) {
    const failed = { status: 'failed', reason: 'ATTEMPTS_EXHAUSTED', sentAt: null } as const;
    await runs.endMail(place, { ...failed, attempts: MAX_ATTEMPTS });
    return undefined;
  }
  const outcome = await attempted(deps, of, { place, mail });
  if (!('kind' in outcome)) {
    // No request was sent, so the attempt does not count.
    await runs.endMail(place, { ...outcome, sentAt: null, attempts: attempt - 1 });
    return undefined;
  }
  const { backoffSeconds, random } = deps;
  const result = targetResult(outcome, { attempt, backoffSeconds, now: deps.now(), random });
  if (result.next === 'retry') {
    const until = new Date(deps.now().getTime() + result.delayMs);
    await runs.postponeMail(place, mail, until, result.seen);
    return result.delayMs / 1000;
  }
  const { status, reason, seen } = result;
  await runs.endMail(place, { status, reason, ...seen, sentAt: status === 'sent' ? deps.now().toISOString() : null });
  return undefined;
}

/** A message that comes early, or while another worker makes the attempt, comes again. */
function secondsUntilNext(mail: StoredMail | undefined, now: Date): number | undefined {
  if (mail?.status !== 'queued' || mail.claimedUntil === undefined) return undefined;
  return Math.max(0, Date.parse(mail.claimedUntil) - now.getTime()) / 1000;
}

async function attempted<M extends StoredMail>(
  deps: SendTargetDeps,
  of: TargetRequests<M>,
  { place, mail }: { place: MailPlace; mail: M },
): Promise<SendOutcome | Unsent> {
  const { workspaceId } = place;
  const opened = await of.open(place, mail);
  if (!('target' in opened)) return opened;
  const { target, id: deliveryId } = opened;
  const { hostname } = new URL(target.origin);
  if (!(await deps.deliveryDomains(workspaceId)).includes(hostname))
    return { status: 'skipped', reason: 'DOMAIN_NOT_ALLOWED' };
  const body = JSON.stringify(opened.body);
  const sent = { deliveryId, body, sentAt: deps.now() };
  const headers = await requestHeaders(deps.secrets, { ...target, workspaceId }, sent);
  try {
    const address = await deps.secrets.open(workspaceId, target.sealedUrl);
    const url = await deps.guard.checkUrl(address, { schemes: webhookSchemes() });
    return await send(deps.guard, { url, headers, body, timeoutMs: deps.timeoutMs });
  } catch (error) {
    if (!(error instanceof AddressBlocked)) throw error;
    return { status: 'failed', reason: 'ADDRESS_BLOCKED' };
  }
}

async function openSchedule<S extends ScheduleRecord>(
  deps: SendTargetDeps,
  of: TargetDeliveries<S>,
  { place, mail }: { place: MailPlace; mail: StoredScheduleMail },
): Promise<OpenedRequest | Unsent> {
  const { workspaceId, deliveryId, userId: targetId } = place;
  const schedule = await of.deliveries.get(workspaceId, deliveryId);
  const target = schedule?.targets?.find(({ id }) => id === targetId);
  if (!schedule || !target) return { status: 'skipped', reason: 'TARGET_REMOVED' };
  // Attempts may be hours after the run.
  if (await of.isObjectDeleted(schedule)) return { status: 'skipped', reason: 'OBJECT_DELETED' };
  const content = await contentOf(deps, of, { place, mail: { ...mail, content: mail.content! }, schedule });
  return { target, id: content.id, body: BODIES[target.type](content) };
}

const BODIES: Record<DeliveryTarget['type'], (content: TargetContent) => object> = {
  webhook: webhookBody,
  slack: slackBody,
  teams: teamsBody,
};

async function contentOf<S extends ScheduleRecord>(
  { links }: SendTargetDeps,
  { kind, runs }: TargetDeliveries<S>,
  { place, mail, schedule }: { place: MailPlace; mail: TargetMail; schedule: S },
): Promise<TargetContent> {
  const run = (await runs.get(place))!;
  const { file } = mail;
  return targetContent({
    // Receivers drop repetitions by it.
    id: idFrom('target-delivery', place.runId, place.userId),
    kind: { name: kind.name, part: kind.part },
    schedule,
    run: { scheduledFor: run.trigger.scheduledAt, startedAt: run.createdAt },
    mail,
    url: kind.pageOf(schedule.apiUrl, kind.objectOf(schedule)),
    // Each attempt has a new link, because links expire soon.
    link: file && (await links.sign(file.key, file.fileName)),
  });
}
