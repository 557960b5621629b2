import { startEngine } from '../../../shared/domains/engine/index.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { streamReplies } from '../../../shared/platform/http/stream-replies.ts';
import { openCards } from '../common/open-cards.ts';
import { streamDashboardCards } from './routes.ts';
import { streamCards } from './stream-cards.ts';

const group = openGroup('card-stream');
const deps = openCards(group);
startEngine(environment('ENGINE_FUNCTION'));

const chain = endpointGroup(
  [
    bind(streamDashboardCards, ({ principal, params: { id }, body, requestId, log }) =>
      streamCards(deps, {
        ...body,
        id,
        principal,
        requestId,
        onError: (error) => log.error('a card cannot be read', error as Error),
      }),
    ),
  ],
  group,
);

export const handler = streamReplies(chain, group.log);
