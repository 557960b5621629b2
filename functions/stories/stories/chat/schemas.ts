import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, Name, Nullable, Timestamp } from '../../../../shared/platform/http/schemas.ts';

export const ChatTargets = Type.Object(
  {
    items: Type.Array(
      Type.Object({ id: Id, name: Name }, { $id: 'StoryChatTarget', description: 'A webhook of the kind `chat`.' }),
    ),
  },
  { $id: 'StoryChatTargets', description: 'The chat channels of the workspace, by name; at most 200.' },
);
export type ChatTargets = Static<typeof ChatTargets>;

export const ShareToChat = Type.Object(
  {
    webhookId: Type.Unsafe<string>({ ...Id, description: 'The `id` of a chat target.' }),
    note: Type.Unsafe<string | null>({
      ...Nullable(Type.String({ maxLength: 1000, description: 'What the caller has to say about the story.' })),
      default: null,
    }),
  },
  { $id: 'ShareStoryToChat', description: 'Where to post the story.' },
);
export type ShareToChat = Static<typeof ShareToChat>;

export const SharedToChat = Type.Object(
  { webhookId: Id, sharedAt: Timestamp },
  { $id: 'StorySharedToChat', description: 'The story is on its way to the chat channel.' },
);
export type SharedToChat = Static<typeof SharedToChat>;
