import type { CardRows } from '../../boards/cards/index.ts';
import { cardOf } from '../../boards/cards/index.ts';
import type { CardRecord } from '../../boards/dashboards/index.ts';
import type { GivenParameter } from '../../boards/reports/index.ts';
import {
  type ContentDeps,
  type LinkParts,
  type PublishedContent,
  partsOfContent,
  publishedContent,
} from './link-content.ts';
import type { LinkPasswords } from './link-password.ts';
import { type LinkReading, type LinkRowsDeps, linkRows } from './link-rows.ts';
import type { LinkReader } from './records.ts';
import type { ResolveLink } from './resolve-link.ts';

export interface OpenDeps extends ContentDeps {
  resolve: ResolveLink;
  linkPasswords: Pick<LinkPasswords, 'check'>;
}

/** What every request of a reader of a link brings. */
export interface Opening {
  token: string;
  password?: string | undefined;
  sourceIp: string;
}

/** The values of the parameters of a report. */
type Parameterized = { parameters?: readonly GivenParameter[] | undefined };

/**
 * The reader whom the token and its password stand for, and what the link opens. A link of deleted content replies like
 * an unknown one, so it asks for no password. Throws `SHARE_NOT_FOUND`, `SHARE_PASSWORD` and `TOO_MANY_PASSWORDS`.
 */
export async function openLink(
  deps: OpenDeps,
  { token, password, sourceIp }: Opening,
): Promise<{ reader: LinkReader; content: PublishedContent }> {
  const reader = await deps.resolve(token);
  const content = await publishedContent(deps, reader);
  await deps.linkPasswords.check(reader, { password, sourceIp });
  return { reader, content };
}

/** Throws what `openLink` and `partsOfContent` throw. */
export async function openSharedParts(
  deps: OpenDeps,
  { parameters, ...opening }: Opening & Parameterized,
): Promise<{ reader: LinkReader; parts: LinkParts }> {
  const { reader, content } = await openLink(deps, opening);
  return { reader, parts: await partsOfContent(deps, content, reader, parameters) };
}

export interface OpenedCard {
  reader: LinkReader;
  parts: LinkParts;
  card: CardRecord;
  /** Throws what `linkRows` throws. */
  readRows(reading: Omit<LinkReading, 'cardId'>): Promise<CardRows>;
}

/**
 * Opens a card in the only order that reveals nothing: token, password, published version, card. Its rows are those of
 * the reader of the link. Throws what `openSharedParts` throws, and `DASHBOARD_CARD_NOT_FOUND`.
 */
export async function openSharedCard(
  deps: OpenDeps & LinkRowsDeps,
  { cardId, ...opening }: Opening & Parameterized & { cardId: string },
): Promise<OpenedCard> {
  return openedCard(deps, { ...(await openSharedParts(deps, opening)), cardId });
}

/** Throws `DASHBOARD_CARD_NOT_FOUND`. */
export function openedCard(
  deps: LinkRowsDeps,
  { reader, parts, cardId }: { reader: LinkReader; parts: LinkParts; cardId: string },
): OpenedCard {
  const card = cardOf(parts, cardId);
  return { reader, parts, card, readRows: (reading) => linkRows(deps, parts, reader, { ...reading, cardId }) };
}
