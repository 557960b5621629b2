import { outboxItem } from '../../../../shared/domains/events/events/index.ts';
import type { WebhookRepository } from '../../../../shared/domains/events/webhooks/index.ts';
import {
  actedOn,
  activityItem,
  type NamedStory,
  shareCountItem,
  storyPlaceOf,
} from '../../../../shared/domains/stories/stories/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { failedConditions, transact } from '../../../../shared/platform/storage/transact.ts';
import type { StoryDeps } from '../use-cases/context.ts';
import type { ChatTargets, SharedToChat, ShareToChat } from './schemas.ts';

export interface ChatDeps extends StoryDeps {
  webhooks: Pick<WebhookRepository, 'readAll'>;
}

const HOUR_SECONDS = 60 * 60;

/** Throws `STORY_NOT_FOUND` or `FORBIDDEN`. */
export async function listChatTargets(deps: ChatDeps, named: NamedStory): Promise<ChatTargets> {
  await actedOn(deps, named, 'editor');
  return { items: await chatTargets(deps, named.principal.workspaceId) };
}

/** The address of a chat webhook is a secret, by which anyone can post. */
async function chatTargets({ webhooks }: ChatDeps, workspaceId: string): Promise<ChatTargets['items']> {
  const all = await webhooks.readAll(workspaceId);
  return all
    .filter(({ kind, enabled }) => kind === 'chat' && enabled)
    .map(({ id, name }) => ({ id, name }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1));
}

/**
 * The message, its count and the activity are one transaction; a repeated request finds its message and sends no other
 * one. Throws `STORY_NOT_FOUND`, `STORY_NOT_PUBLISHED`, `TOO_MANY_STORY_SHARES`, and `VALIDATION_FAILED` if there is no
 * such chat target.
 */
export async function shareToChat(
  deps: ChatDeps,
  { requestId, apiUrl, webhookId, note, ...named }: NamedStory & ShareToChat & { requestId: string; apiUrl: string },
): Promise<SharedToChat> {
  const { workspaceId, userId, name, email } = named.principal;
  const { state } = await actedOn(deps, named, 'editor');
  const { published } = state.record;
  if (!published) throw new AppError('STORY_NOT_PUBLISHED');
  if (!(await chatTargets(deps, workspaceId)).some(({ id }) => id === webhookId)) {
    const message = 'is not the id of an enabled chat webhook; list them with GET /api/stories/{id}/chat-targets';
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/webhookId', code: 'UNKNOWN', message }] });
  }
  const at = deps.now();
  const place = storyPlaceOf(state.record);
  const data = {
    workspaceId,
    storyId: named.id,
    storyTitle: published.title,
    summary: published.summary,
    note,
    sharedBy: userId,
    sharedByName: name ?? email ?? 'A member',
    pageUrl: `${apiUrl}/d/stories/${named.id}`,
    url: `/api/stories/${named.id}`,
  };
  try {
    await transact(deps.table, [
      outboxItem(deps.table, { id: requestId, workspaceId, event: 'story.shared', data, at, webhookId }),
      shareCountItem(deps.table, place, at),
      activityItem(deps.table, place, { action: 'shared_to_chat' }, { by: userId, at }),
    ]);
  } catch (cause) {
    const failed = failedConditions(cause);
    if (!failed.has(0)) {
      if (!failed.has(1)) throw cause;
      const seconds = Math.floor(at.getTime() / 1000);
      throw new AppError('TOO_MANY_STORY_SHARES', {
        cause,
        retryAfterSeconds: HOUR_SECONDS - (seconds % HOUR_SECONDS),
      });
    }
  }
  return { webhookId, sharedAt: at.toISOString() };
}
