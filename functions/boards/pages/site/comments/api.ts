import { call } from '../api.ts';
import type { Discussed } from './discussed.ts';
import type { QuotedText } from './quoted-text.ts';

export interface CommentContext extends Partial<QuotedText> {
  kind: string;
  cardId?: string;
  /** What a suggestion would write in place of the quote. */
  replacement?: string;
}

export interface Comment {
  id: string;
  parentId: string | null;
  context: CommentContext;
  author: { id: string; name: string };
  content: string | null;
  mentions: { id: string; name: string | null }[];
  createdAt: string;
  editedAt: string | null;
}

export interface Thread extends Comment {
  resolvedAt: string | null;
  anchor: { state: 'anchored' | 'moved' | 'orphaned'; text?: string | null };
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

/** What a new comment is about: a thread, words of a text, a part, or else the whole object. */
interface About {
  parentId?: string;
  partId?: string | null;
  quoted?: QuotedText | undefined;
}

/** The comments of what a page shows, as the signed-in person. */
export function commentsOf({ type, id: resourceId, part }: Discussed) {
  const path = (partId: string | null) =>
    `/api/comments/${partId === null ? `${type}/${resourceId}` : `${part}/${resourceId}:${encodeURIComponent(partId)}`}`;
  const json = async <T>(reply: Promise<Response>): Promise<T> => (await reply).json() as Promise<T>;
  const contextOf = ({ partId, quoted }: About) => {
    if (quoted) return { context: { kind: 'text', ...quoted } };
    return partId == null ? {} : { context: { kind: part, [`${part}Id`]: partId } };
  };
  return {
    type,
    part,
    /** The part that a thread is about. */
    partIdOf: (context: CommentContext) => (part === 'card' ? context.cardId : context.sectionId),
    list: (partId: string | null, state: State, { limit = PAGE_SIZE, offset = 0 } = {}) =>
      json<Threads>(call('GET', `${path(partId)}?state=${state}&limit=${limit}&offset=${offset}`)),
    write: (content: string, { parentId, ...about }: About) =>
      json<Written>(
        call('POST', '/api/comments', {
          ...{ resourceType: type, resourceId, content },
          ...(parentId === undefined ? contextOf(about) : { parentId }),
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
