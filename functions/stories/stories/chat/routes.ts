import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { StoryParams } from '../schemas.ts';
import { ChatTargets, SharedToChat, ShareToChat } from './schemas.ts';

const edit = { permission: 'stories:write', grant: grantOn('story', 'editor') } as const;

export const listStoryChatTargets = defineRoute({
  operationId: 'listStoryChatTargets',
  method: 'GET',
  path: '/api/stories/{id}/chat-targets',
  summary: 'List the chat channels for a story',
  description: 'Lists the enabled webhooks of the kind `chat`, without their addresses.',
  ...edit,
  params: StoryParams,
  success: { status: 200, body: ChatTargets },
  errors: ['STORY_NOT_FOUND'],
});

export const shareStoryToChat = defineRoute({
  operationId: 'shareStoryToChat',
  method: 'POST',
  path: '/api/stories/{id}/share/chat',
  summary: 'Share a story in a chat channel',
  description:
    'Posts the title and the summary of the published version, the note, and a link, but no rows and no sections. A story can be shared five times in each clock hour.',
  ...edit,
  params: StoryParams,
  body: ShareToChat,
  success: { status: 200, body: SharedToChat },
  errors: ['STORY_NOT_FOUND', 'STORY_NOT_PUBLISHED', 'TOO_MANY_STORY_SHARES'],
  idempotent: true,
});
