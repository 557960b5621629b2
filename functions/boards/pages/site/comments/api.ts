import { call } from '../api.ts';

export interface Comment {
  id: string;
  parentId: string | null;
  context: { kind: string; cardId?: string };
  author: { id: string; name: string };
  content: string | null;
  mentions: { id: string; name: string | null }[];
  createdAt: string;
  editedAt: string | null;
}

export interface Thread extends Comment {
  resolvedAt: string | null;
  anchor: { state: 'anchored' | 'moved' | 'orphaned' };
  replies: Comment[];
}

export interface Threads {
  items: Thread[];
  total: number;
  counts: { open: number; resolved: number; orphaned: number };
  parts: { type: string; id: string; open: number }[];
  mayComment: boolean;
  comments: 'everyone' | 'editors' | 'off';
  following: 'following' | 'unfollowed' | 'muted';
  warning: 'PROTECTED_SOURCE' | null;
}

export interface Candidate {
  id: string;
  name: string;
  email: string | null;
  hasAccess: boolean | null;
}

export interface Written extends Comment {
  mentioned: { id: string; notified: boolean; reason?: string }[];
}

export type State = 'open' | 'resolved' | 'all';

/** The most that one request returns. */
export const PAGE_SIZE = 100;

/** The comments of a dashboard, as the signed-in person. */
export function commentsOf(dashboardId: string) {
  const path = (cardId: string | null) =>
    `/api/comments/${cardId === null ? `dashboard/${dashboardId}` : `card/${dashboardId}:${encodeURIComponent(cardId)}`}`;
  const json = async <T>(reply: Promise<Response>): Promise<T> => (await reply).json() as Promise<T>;
  return {
    list: (cardId: string | null, state: State, { limit = PAGE_SIZE, offset = 0 } = {}) =>
      json<Threads>(call('GET', `${path(cardId)}?state=${state}&limit=${limit}&offset=${offset}`)),
    write: (content: string, { cardId, parentId }: { cardId?: string | null; parentId?: string }) =>
      json<Written>(
        call('POST', '/api/comments', {
          ...{ resourceType: 'dashboard', resourceId: dashboardId, content },
          ...(parentId !== undefined && { parentId }),
          ...(cardId != null && { context: { kind: 'card', cardId } }),
        }),
      ),
    change: (id: string, change: { content?: string; isResolved?: boolean }) =>
      json<Written>(call('PUT', `/api/comments/${id}`, change)),
    remove: (id: string) => call('DELETE', `/api/comments/${id}`),
    candidates: async (text: string) =>
      (await json<{ items: Candidate[] }>(call('GET', `${path(null)}/candidates?q=${encodeURIComponent(text)}`))).items,
    follow: (state: 'following' | 'unfollowed') => call('PUT', `${path(null)}/follow`, { state }),
  };
}

export type CommentApi = ReturnType<typeof commentsOf>;
