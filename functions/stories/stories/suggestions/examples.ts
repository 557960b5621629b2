import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS } from '../../../platform/example-values.ts';
import { storySection } from '../example-parts.ts';
import type * as routes from './routes.ts';

const commentId = '019b2d40-1a6c-7f10-8b2e-5d4c3b2a1f60';
const decided = { commentId, resolution: 'accepted', resolvedAt: CHANGED_AT, resolvedBy: IDS.user };
const section = { ...storySection, editSeq: 2, editedAt: CHANGED_AT, updatedAt: CHANGED_AT, revision: 2 };

export const examples: ExamplesOf<typeof routes> = {
  acceptStorySuggestion: { reply: { ...decided, section } },
  acceptStorySuggestions: { request: { commentIds: [commentId] }, reply: { items: [decided], section } },
  rejectStorySuggestion: { reply: { ...decided, resolution: 'rejected' } },
};
