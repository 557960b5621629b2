import { expect } from 'vitest';
import type { Route } from '../../../../shared/platform/http/route.ts';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { givenMember } from '../../../support/given/member.ts';
import { chartBlock, doc, type GivenStory, givenGrantee, paragraph } from '../../../support/given/stories.ts';
import { PROMISED_OPERATIONS } from '../../../support/promised-operations.ts';
import { ROUTES, somePath } from '../../../support/samples.ts';

/** From the least to the most. The owner has the role `editor`; those before have a permission on the story alone. */
const CALLERS = ['stranger', 'viewer', 'commenter', 'contributor', 'editor', 'owner', 'admin'] as const;
type Name = (typeof CALLERS)[number];

interface Row {
  may: readonly Name[];
  body?: object;
  /** Whether each caller gets a story or comment of their own, because the request ends it. */
  ends?: true;
}

const from = (least: Name): readonly Name[] => CALLERS.slice(CALLERS.indexOf(least));
const all = (least: Name, ...operations: string[]) =>
  Object.fromEntries(operations.map((operation): [string, Row] => [operation, { may: from(least) }]));

/** Who has the role `editor` at least; strangers have it in a workspace of their own. */
const WITH_ROLE: readonly Name[] = ['stranger', 'owner', 'admin'];

/** Every promised operation on stories, templates and comments, and who may call it. */
const TABLE: Readonly<Record<string, Row>> = {
  ...all('viewer', 'getStory', 'findStoryCandidates', 'followStory', 'unfollowStory', 'reportStoryPresence'),
  ...all('contributor', 'listStoryActivity', 'suggestNextStorySection', 'rewriteStoryText', 'requestStoryReview'),
  ...all('contributor', 'addStorySection', 'updateStorySection', 'deleteStorySection', 'refreshStorySection'),
  ...all('contributor', 'lockStorySection', 'unlockStorySection', 'acceptStorySuggestion', 'updateStorySectionWork'),
  ...all('contributor', 'listStoryVersions', 'getStoryVersion'),
  ...all('editor', 'updateStory', 'listStoryAccess', 'grantStoryAccess', 'checkStoryAccess', 'revokeStoryAccess'),
  ...all(
    'editor',
    'archiveStory',
    'publishStory',
    'listStoryReaders',
    'setStorySectionEditors',
    'reorderStorySections',
  ),
  ...all('editor', 'setStorySectionReadOnly', 'setStorySectionVisibility', 'restoreStoryVersion'),
  ...all('editor', 'shareStoryToChat', 'listStoryChatTargets'),
  deleteStory: { may: from('owner'), ends: true },
  // The reviewer of the open round, and the person who has asked for it.
  decideStoryReview: { may: ['commenter'], body: { decision: 'approved' } },
  endStoryReview: { may: ['owner'] },
  createComment: { may: from('viewer') },
  listComments: { may: from('viewer') },
  // The author is the owner of the story.
  updateComment: { may: ['owner'], body: { content: 'Changed' } },
  deleteComment: { may: from('editor'), ends: true },
  // On no story in particular.
  listStories: { may: CALLERS },
  createStory: { may: WITH_ROLE, body: { title: 'Mine' } },
  outlineStory: { may: WITH_ROLE, body: { goal: 'Why revenue fell' } },
  listStoryTemplates: { may: CALLERS },
  // The author is the owner of the story.
  createStoryTemplate: { may: from('owner') },
  getStoryTemplate: { may: from('viewer') },
  deleteStoryTemplate: { may: from('owner'), ends: true },
};

/** The bodies of requests that name the story. */
const BODIES: Readonly<Record<string, (story: GivenStory) => object>> = {
  createComment: ({ id }) => ({ resourceType: 'story', resourceId: id, content: 'Why?' }),
  createStoryTemplate: ({ id }) => ({ name: 'Weekly', storyId: id }),
};

const NOT_FOUND = ['STORY_NOT_FOUND', 'COMMENT_OBJECT_NOT_FOUND', 'COMMENT_NOT_FOUND', 'STORY_TEMPLATE_NOT_FOUND'];

/**
 * Refused as such: not for a part that does not exist, nor for a body with issues. The body of a stranger, who may do
 * everything in a workspace of their own, is validated before the story is looked for.
 */
const isRefused = (name: Name, { status, body }: Awaited<ReturnType<Caller['get']>>): boolean =>
  status === 403 || (status === 404 && NOT_FOUND.includes(body.code)) || (name === 'stranger' && status === 400);

async function given(api: Api): Promise<{ callers: Record<Name, Caller>; author: Caller; story: GivenStory }> {
  const { token } = await givenMember(api, 'editor');
  const author = api.as({ token });
  const section = {
    content: doc(paragraph('a', 'Text'), chartBlock('b', { source: { kind: 'dataset', id: somewhere } })),
  };
  const made = (await author.post('/api/stories', { title: 'Weekly', sections: [section] })).body;
  const story = { id: made.id, path: `/api/stories/${made.id}`, sections: [made.sections[0].id] };
  const granted = async (permission: string) => givenGrantee(api, story, permission);
  const commenter = await granted('commenter');
  expect((await author.post(`${story.path}/publish`)).status).toBe(200);
  const round = await author.post(`${story.path}/review`, { reviewerIds: [commenter.userId] });
  expect(round.status, JSON.stringify(round.body)).toBe(201);
  const callers = {
    stranger: api.as('stranger'),
    viewer: (await granted('viewer')).caller,
    commenter: commenter.caller,
    contributor: (await granted('contributor')).caller,
    editor: (await granted('editor')).caller,
    owner: author,
    admin: api.as('admin'),
  };
  return { callers, author, story };
}

const somewhere = '00000000-0000-7000-8000-000000000000';

it('every promised operation on a story is for those whom one table names, and for no others', async ({ api }) => {
  const { callers, author, story } = await given(api);
  const known = ROUTES.filter(({ operationId }) => operationId in TABLE).map(({ method, path }) => `${method} ${path}`);
  const promised = [...PROMISED_OPERATIONS.stories!, ...PROMISED_OPERATIONS.comments!];
  expect(known.sort()).toEqual(expect.arrayContaining([...promised].sort()));
  expect(promised).toHaveLength(48);

  const comment = () => author.post('/api/comments', { resourceType: 'story', resourceId: story.id, content: 'Why?' });
  const template = async (): Promise<string> =>
    (await author.post('/api/stories/templates', { name: crypto.randomUUID(), storyId: story.id })).body.id;
  const kept = { comment: (await comment()).body.id as string, template: await template() };
  const subject = async (route: Route, { ends }: Row): Promise<string> => {
    if (route.path.includes('{templateId}')) return ends ? template() : kept.template;
    if (route.path.startsWith('/api/comments')) return ends ? (await comment()).body.id : kept.comment;
    return ends ? (await author.post('/api/stories', { title: 'Other' })).body.id : story.id;
  };
  const pathOf = (route: Route, id: string) =>
    route.path.includes('{resourceType}')
      ? `/api/comments/story/${story.id}`
      : somePath({ ...route, path: route.path.replace(/\{(id|templateId)\}/, id) as Route['path'] });
  for (const route of ROUTES) {
    const row = TABLE[route.operationId];
    if (!row) continue;
    const body = row.body ?? BODIES[route.operationId]?.(story) ?? {};
    // Those who are refused come first, because the others may change the story.
    const callersOf = Map.groupBy(CALLERS, (name) => row.may.includes(name));
    for (const name of [false, true].flatMap((may) => callersOf.get(may) ?? [])) {
      const path = pathOf(route, await subject(route, row));
      const reply = await callers[name].send(route.method, path, route.body ? { text: JSON.stringify(body) } : {});
      const about = `${route.operationId} as ${name}: ${reply.status} ${JSON.stringify(reply.body)}`;
      // The language model of the tests knows no answer.
      if (!route.path.includes('/ai/')) expect(reply.status, about).toBeLessThan(500);
      expect(isRefused(name, reply), about).toBe(!row.may.includes(name));
    }
  }
});
