import type { Static } from 'typebox';
import * as Type from 'typebox';
import { CardResult, readingProperties, wantedProperties } from '../../../shared/domains/boards/cards/index.ts';
import { MAX_PARTS } from '../../../shared/domains/boards/dashboards/index.ts';
import { idParams } from '../../../shared/platform/http/schemas.ts';

export const DashboardParams = idParams('dashboard');

export const StreamCards = Type.Object(
  { ...wantedProperties(MAX_PARTS.cards), ...readingProperties },
  { $id: 'StreamCards', description: 'Which cards to read, and how.' },
);
export type StreamCards = Static<typeof StreamCards>;

const StreamEnd = Type.Object(
  {
    complete: Type.Literal(true),
    cards: Type.Integer({ description: 'The number of lines before this one.' }),
    failed: Type.Integer({ description: 'How many of them have a problem.' }),
  },
  { $id: 'CardStreamEnd', description: 'The last line. Without it, the stream was interrupted.' },
);

export const CardLine = Type.Union([CardResult, StreamEnd], {
  $id: 'CardLine',
  description: 'One line: a card as soon as it is ready, in no particular order, and at last the end.',
});
