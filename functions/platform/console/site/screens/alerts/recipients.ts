import type { Types } from '../../data/client.ts';

/** Who is notified, as the form shows it. */
export interface Recipient {
  kind: 'user' | 'group';
  id: string;
  byEmail: boolean;
}

type Channels = Types.CreateAlert['channels'];

/** The people and groups of both channels. */
export function recipientsOf(channels: Channels | Types.Alert['channels']): Recipient[] {
  const found = new Map<string, Recipient>();
  const add = (kind: Recipient['kind'], ids: readonly string[] = [], byEmail: boolean) => {
    for (const id of ids)
      found.set(`${kind} ${id}`, { kind, id, byEmail: byEmail || found.get(`${kind} ${id}`)?.byEmail === true });
  };
  const { inApp, email } = channels ?? {};
  add('user', inApp?.userIds, false);
  add('group', inApp?.groupIds, false);
  add('user', email?.userIds, true);
  add('group', email?.groupIds, true);
  return [...found.values()];
}

/** The channels with other people and addresses. What the form does not show stays as it is. */
export function channelsOf(
  base: Channels | Types.Alert['channels'],
  { recipients, addresses, event }: { recipients: readonly Recipient[]; addresses: readonly string[]; event: boolean },
): NonNullable<Channels> {
  const idsOf = (kind: Recipient['kind'], isMailed: boolean) =>
    recipients.filter((each) => each.kind === kind && (!isMailed || each.byEmail)).map(({ id }) => id);
  const { followers } = base?.inApp ?? {};
  return {
    inApp: {
      userIds: idsOf('user', false),
      groupIds: idsOf('group', false),
      ...(followers !== undefined && { followers }),
    },
    email: {
      userIds: idsOf('user', true),
      groupIds: idsOf('group', true),
      ...(addresses.length > 0 && { addresses: [...addresses] }),
    },
    event,
  };
}

/** Addresses of a text, between commas, semicolons or white space. */
export const addressesOf = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
