import {
  type ClaimedBatch,
  EVERY_SUBJECT,
  follows,
  MAX_MAILS_AN_HOUR,
  type MailBatches,
  type MailTokens,
  type NotificationReader,
  type ShowDeps,
  type ShownNotification,
  type StoredNotification,
  sentenceOf,
  showNotifications,
  showOutside,
} from '../../../../shared/domains/delivery/notifications/index.ts';
import {
  memberPrincipal,
  readUser,
  readWorkspace,
  trustedAddress,
} from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Mail } from '../../../../shared/platform/mail/compose.ts';
import { type Mailer, MailRefused } from '../../../../shared/platform/mail/mailer.ts';
import type { Key } from '../../../../shared/platform/storage/keys.ts';

/** A mail lists no more; it counts the others. */
const MAX_LISTED = 20;
const MAX_TEXT = 1_000;

export interface NotificationMailDeps extends ShowDeps {
  batches: MailBatches;
  reader: NotificationReader;
  tokens: MailTokens;
  mailer: Mailer;
  /** Reports that SES refused a mail. */
  refused(reason: string, batch: ClaimedBatch): void;
}

/**
 * Sends the mail about a batch if it is due. Read notifications are left out, and so are those that the person may not
 * see any more. A message may arrive twice: one worker at a time has the batch. SES cannot recognize a mail that it
 * accepted just before the worker crashed, so such a mail is sent twice.
 */
export async function sendNotifications(deps: NotificationMailDeps, key: Key): Promise<void> {
  const batch = await deps.batches.claim(key);
  if (!batch) return;
  const written = await writeMail(deps, batch);
  if (written) {
    await deps.batches.count(batch);
    try {
      await deps.mailer.send(written.to, written.mail);
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      deps.refused(error.message, batch);
    }
  }
  await deps.batches.finish(batch);
}

/** Undefined if there is nothing to tell the person, or no person any more. */
async function writeMail(
  deps: NotificationMailDeps,
  batch: ClaimedBatch,
): Promise<{ to: string; mail: Mail } | undefined> {
  const { table, reader } = deps;
  const { workspaceId, userId, subject } = batch;
  const workspace = await readWorkspace(table, workspaceId);
  if (!workspace || workspace.deletesAt) return undefined;
  const [recipient, chosen, unread] = await Promise.all([
    recipientOf(deps, batch, workspace.companyId),
    follows(table).read([batch], subject),
    deps.batches.unread(batch, MAX_LISTED),
  ]);
  if (!recipient) return undefined;
  const follow = chosen.get(userId);
  if (follow?.noMail || follow?.state === 'muted') return undefined;
  const shown = await recipient.show(await reader.getMany(batch, unread.ids));
  if (shown.length === 0) return undefined;
  const more = Math.max(0, unread.count - unread.ids.length);
  // Of a mail about several subjects the link ends all mails about their type.
  const isOutside = batch.address !== undefined;
  const token = await deps.tokens.of({ workspaceId, userId, subject: onlySubject(shown, more) ?? subject, isOutside });
  const unsubscribe = `${batch.apiUrl}/comments/unsubscribe?token=${token}`;
  const ordered = shown.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const isTogether = subject.id === EVERY_SUBJECT;
  const mail = (isTogether ? mailTogether : notificationMail)(ordered, {
    more,
    isHeld: batch.isHeld ?? false,
    reason: isOutside
      ? `an ${subject.type} of the workspace “${workspace.name}” names your address`
      : `you are a member of the workspace “${workspace.name}”`,
    apiUrl: batch.apiUrl,
    unsubscribe,
  });
  return { to: recipient.to, mail };
}

/** Where the mail goes, and what may be shown there now. */
interface Recipient {
  to: string;
  show(stored: readonly StoredNotification[]): Promise<ShownNotification[]>;
}

/** Undefined for a person who has left. */
async function recipientOf(
  deps: NotificationMailDeps,
  { workspaceId, userId, membershipId, address }: ClaimedBatch,
  companyId: string,
): Promise<Recipient | undefined> {
  const place = { workspaceId, companyId, userId };
  if (address !== undefined) return { to: address, show: (stored) => showOutside(deps, place, stored) };
  const [principal, user] = await Promise.all([memberPrincipal(deps.table, place), readUser(deps.table, userId)]);
  if (!principal || !user || principal.membershipId !== membershipId) return undefined;
  return { to: trustedAddress(user), show: (stored) => showNotifications(deps, principal, stored) };
}

const HELD = `You got ${MAX_MAILS_AN_HOUR} of these emails within an hour, so this one has the rest.`;

interface MailParts {
  more: number;
  isHeld: boolean;
  /** Why the recipient gets it. */
  reason: string;
  apiUrl: string;
  unsubscribe: string;
}

/** The subject of all of them; undefined if there are several, or if there may be. */
function onlySubject(shown: readonly ShownNotification[], more: number): { type: string; id: string } | undefined {
  const [{ subject }] = shown as [ShownNotification];
  if (more > 0 || shown.some((each) => each.subject.id !== subject.id)) return undefined;
  return { type: subject.type, id: subject.id };
}

/** A mail about subjects of one type, such as alerts. */
function mailTogether(shown: readonly ShownNotification[], { more, isHeld, reason, unsubscribe }: MailParts): Mail {
  const count = shown.length + more;
  const only = onlySubject(shown, more);
  const { type, name } = shown[0]!.subject;
  const heading = only ? `${capitalized(type)}: ${name}` : `${count} ${type}s`;
  return {
    subject: heading,
    heading,
    paragraphs: [...(isHeld ? [HELD] : []), ...(more > 0 ? [`The newest ${shown.length} of ${count}:`] : [])],
    blocks: shown.map(({ title, text }) => ({ name: title, text: shortened(text ?? '') })),
    notes: [`You get this email because ${reason}.`],
    unsubscribe: { label: only ? `Stop emails about “${name}”` : `Stop emails about ${type}s`, url: unsubscribe },
  };
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function notificationMail(shown: readonly ShownNotification[], { more, reason, apiUrl, unsubscribe }: MailParts): Mail {
  const { name, path, type } = shown[0]!.subject;
  const [only] = shown;
  const subject =
    shown.length + more === 1 ? `${headingOf(only!)}: ${name}` : `${shown.length + more} notifications: ${name}`;
  return {
    subject,
    heading: name,
    paragraphs: more > 0 ? [`The newest ${shown.length} of ${shown.length + more} notifications:`] : [],
    blocks: shown.map((each) => ({ name: headingOf(each), text: shortened(each.text ?? '') })),
    ...(path !== null && { action: { label: `Open the ${type}`, url: `${apiUrl}${path}` } }),
    notes: [`You get this email because ${reason}.`],
    unsubscribe: { label: `Stop emails about “${name}”`, url: unsubscribe },
  };
}

const headingOf = ({ actor, phrase, title }: ShownNotification): string =>
  actor ? sentenceOf({ actor, phrase }) : title;

const shortened = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);
