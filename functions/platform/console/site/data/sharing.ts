import type { cardConfigs } from '../../../../../shared/data/charts/board-cards.ts';
import type { Access } from '../../../../boards/browser/access.ts';
import { asCardErrors } from './boards.ts';
import { api, publicApi, type Types } from './client.ts';

/** What links and embedded views open. */
export interface SharedObject {
  type: 'dashboard' | 'report';
  id: string;
  name: string;
  isPublished: boolean;
}

export type Attributes = Record<string, string | string[]>;

/** Attributes as people type them: a name, and values with commas between them. */
export interface TypedAttribute {
  name: string;
  values: string;
}

/** Those with a name and a value; several values are a list. */
export function attributesOf(typed: readonly TypedAttribute[]): Attributes {
  const pairs = typed.flatMap(({ name, values }): [string, string | string[]][] => {
    const all = values
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
    return name.trim() === '' || all.length === 0 ? [] : [[name.trim(), all.length === 1 ? all[0]! : all]];
  });
  return Object.fromEntries(pairs);
}

export const attributesText = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}: ${[value].flat().join(', ')}`)
    .join('; ');

/** In seconds. The token of a preview ends by itself if the page cannot revoke it. */
const PREVIEW_TTL = 300;

export interface Preview {
  token: string;
  content: Types.SharedContent;
  /** Ends the token of the preview. */
  close(): void;
}

/** What an audience with these attributes would see: opened as such a reader opens it, by a token of five minutes. */
export async function openPreview({ type, id }: SharedObject, attributes: Attributes): Promise<Preview> {
  const body = { contentType: type, contentId: id, attributes, expiresIn: PREVIEW_TTL };
  const { token, jti } = await api.embedding.createToken(body);
  const close = () => void Promise.resolve(api.embedding.revokeToken(jti)).catch(() => {});
  try {
    return { token, content: await publicApi.shares.openSharedContent(token), close };
  } catch (error) {
    close();
    throw error;
  }
}

const MAX_CARDS_ASKED = 5;

/** Reads the cards of a link or an embedded view. */
export const linkAccess = (token: string, cards: readonly { id: string }[]): Access => ({
  readCard: (cardId, { filters, timezone, image }) => {
    const body = { cardId, filters, ...(timezone && { timezone }), ...(image && { image }) };
    return asCardErrors(publicApi.shares.readSharedCard(token, body as Types.ReadSharedCard)) as ReturnType<
      Access['readCard']
    >;
  },
  drawCard: async (cardId, { filters, timezone, width, height, theme }) => {
    const body = { cardId, filters, ...(timezone && { timezone }), width, height, theme } as Types.DrawSharedCard;
    return (await asCardErrors(publicApi.shares.drawSharedCard(token, body))).text();
  },
  readValues: async ({ fieldId, linkedCardIds }, page) => {
    const asked = (linkedCardIds.length > 0 ? linkedCardIds : cards.map(({ id }) => id)).slice(0, MAX_CARDS_ASKED);
    let issue: unknown = new Error('No card has values for the filter.');
    for (const cardId of asked) {
      try {
        const body = { cardId, distinctColumn: fieldId, ...page };
        const { rows, truncated } = await asCardErrors(publicApi.shares.readSharedCard(token, body));
        return { values: rows.map(([value]) => value), truncated };
      } catch (error) {
        issue = error;
      }
    }
    throw issue;
  },
  ends: () => false,
});

export type SharedCards = Parameters<typeof cardConfigs>[0];

/** A person or a group with a right. */
export interface Grant {
  key: string;
  granteeType: 'user' | 'group';
  granteeId: string;
  name: string;
  email: string | null;
  level: string;
}

/** Who may see an object, whatever its kind. */
export interface Grants {
  list(place: {
    limit: number;
    cursor?: string;
  }): PromiseLike<{ items: Grant[]; nextCursor: string | null; total: number }>;
  set(granteeType: 'user' | 'group', granteeId: string, level: 'viewer' | 'editor'): PromiseLike<unknown>;
  revoke(grant: Grant): PromiseLike<unknown>;
}

export const dashboardGrants = (id: string): Grants => ({
  list: async (place) => {
    const { items, nextCursor, total } = await api.dashboards.listAccess(id, place);
    const grants = items.map(({ id: key, granteeType, userId, groupId, name, email, permission }) => ({
      key,
      granteeType: granteeType as Grant['granteeType'],
      granteeId: userId ?? groupId ?? '',
      name,
      email,
      level: permission,
    }));
    return { items: grants, nextCursor, total };
  },
  set: (type, granteeId, permission) => api.dashboards.setAccess(id, type, granteeId, { permission }),
  revoke: ({ key }) => api.dashboards.revokeAccess(id, key),
});

export const reportGrants = (id: string): Grants => ({
  list: async (place) => {
    const { items, nextCursor, total } = await api.reports.listAccess(id, place);
    const grants = items.map(({ granteeType, granteeId, name, email, level }) => ({
      key: `${granteeType} ${granteeId}`,
      granteeType: granteeType as Grant['granteeType'],
      granteeId,
      name,
      email,
      level,
    }));
    return { items: grants, nextCursor, total };
  },
  set: (type, granteeId, level) => api.reports.setAccess(id, type, granteeId, { level }),
  revoke: ({ granteeType, granteeId }) => api.reports.revokeAccess(id, granteeType, granteeId),
});
