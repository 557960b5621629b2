import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS, page } from '../../../platform/example-values.ts';
import { review, story, storySection, version } from '../example-parts.ts';
import type * as routes from './routes.ts';

const published = { status: 'published', publishedAt: CHANGED_AT, publishedBy: IDS.user, hasUnpublishedChanges: false };

export const examples: ExamplesOf<typeof routes> = {
  publishStory: { request: {}, reply: { ...version, warnings: [] } },
  listStoryVersions: { reply: page([version]) },
  getStoryVersion: { reply: { ...version, sections: [storySection] } },
  restoreStoryVersion: {
    request: {},
    reply: { ...story, ...published, publishedVersion: 2, updatedAt: CHANGED_AT, editSeq: 2, revision: 3 },
  },
  requestStoryReview: {
    request: { reviewerIds: [IDS.colleague], note: 'Please check the numbers.' },
    reply: review,
  },
  endStoryReview: {},
  decideStoryReview: {
    request: { decision: 'approved' },
    reply: {
      ...review,
      reviewers: [{ userId: IDS.colleague, decision: 'approved', note: null, at: CHANGED_AT, outdated: false }],
    },
  },
};
