import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

export const examples: ExamplesOf<typeof routes> = {
  listStoryChatTargets: { reply: { items: [{ id: IDS.webhook, name: 'Sales channel' }] } },
  shareStoryToChat: {
    request: { webhookId: IDS.webhook, note: 'For the meeting on Monday.' },
    reply: { webhookId: IDS.webhook, sharedAt: CHANGED_AT },
  },
};
