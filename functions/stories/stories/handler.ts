import { seenParts } from '../../../shared/domains/boards/cards/index.ts';
import { dashboardStore, dashboardVersions } from '../../../shared/domains/boards/dashboards/index.ts';
import { follows } from '../../../shared/domains/delivery/notifications/index.ts';
import { webhookRepository } from '../../../shared/domains/events/webhooks/index.ts';
import { snapshotStore } from '../../../shared/domains/stories/snapshots/index.ts';
import { storyRepository, storyStore, storyVersions } from '../../../shared/domains/stories/stories/index.ts';
import { templateRepository } from '../../../shared/domains/stories/templates/index.ts';
import { grantCheck, grantReader, grantsTo, objectGrants } from '../../../shared/domains/tenancy/grants/index.ts';
import { listMembers, readWorkspace } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { aiFunction } from '../../../shared/platform/ai/function/client.ts';
import { baseUrl } from '../../../shared/platform/http/base-url.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { cleanUpItem } from '../../../shared/platform/storage/clean-ups.ts';
import { openCharts } from '../../boards/common/open-charts.ts';
import * as accessRoutes from './access/routes.ts';
import { checkAccess, findCandidates, grantAccess, listAccess, revokeAccess, setAccess } from './access/use-cases.ts';
import * as aiRoutes from './ai/routes.ts';
import { type AiDeps, outlineStory, refreshSection, rewriteText, suggestNext } from './ai/use-cases.ts';
import * as chatRoutes from './chat/routes.ts';
import { type ChatDeps, listChatTargets, shareToChat } from './chat/use-cases.ts';
import { decideReview, endReview, requestReview } from './people/review.ts';
import * as peopleRoutes from './people/routes.ts';
import { reportPresence, setFollowing, storyActivity, storyReaders } from './people/use-cases.ts';
import * as storyRoutes from './routes.ts';
import * as sectionRoutes from './sections/routes.ts';
import {
  addSection,
  deleteSection,
  getSection,
  reorderSections,
  setEditors,
  setReadOnly,
  setVisibility,
  updateWork,
} from './sections/use-cases/change-sections.ts';
import { endLock, takeLock } from './sections/use-cases/locks.ts';
import { getSectionRevision, listSectionRevisions, listTitleRevisions } from './sections/use-cases/revisions.ts';
import { updateSection } from './sections/use-cases/update-section.ts';
import * as suggestionRoutes from './suggestions/routes.ts';
import { acceptSuggestions } from './suggestions/use-cases/accept-suggestions.ts';
import { rejectSuggestion } from './suggestions/use-cases/reject-suggestion.ts';
import * as templateRoutes from './templates/routes.ts';
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  type TemplateDeps,
  withTemplate,
} from './templates/use-cases.ts';
import { listStories } from './use-cases/list-stories.ts';
import { announcer } from './use-cases/notices.ts';
import { archiveStory, createStory, deleteStory, getStory, restoreStory } from './use-cases/save-story.ts';
import { updateStory } from './use-cases/update-story.ts';
import * as versionRoutes from './versions/routes.ts';
import { getVersion, listVersions, publishStory, restoreVersion } from './versions/use-cases.ts';

const group = openGroup('stories');
const { table, now } = group;

const charts = openCharts(group);
const dashboards = {
  store: dashboardStore(table),
  versions: dashboardVersions(table),
  grantOf: grantReader(table, 'dashboard'),
};

const following = follows(table);
const deps: TemplateDeps & AiDeps & ChatDeps = {
  table,
  templates: templateRepository(table),
  webhooks: webhookRepository(table),
  stories: storyRepository(table),
  store: storyStore(table),
  versions: storyVersions(table),
  grants: objectGrants(table),
  cursors: group.cursors,
  charts,
  blocks: {
    ...charts,
    snapshots: snapshotStore(table),
    dashboardFor: (principal, id) => seenParts(dashboards, { principal, id }),
  },
  sources: { dashboards: dashboards.store, dashboardVersions: dashboards.versions },
  dashboardGrantOf: dashboards.grantOf,
  grantsTo: (principal) => grantsTo(table, principal, 'story'),
  grantOf: grantReader(table, 'story'),
  members: (workspaceId) => listMembers(table, workspaceId),
  cleanUpItem: (ended, at) => cleanUpItem(table, ended, at),
  follows: following,
  storyReview: async (workspaceId) => (await readWorkspace(table, workspaceId))?.storyReview ?? 'off',
  ai: aiFunction(environment('AI_FUNCTION')),
  aiModel: process.env.AI_MODEL ?? '',
  now,
};

interface Calling {
  headers: Record<string, string>;
  log: { error(message: string, error: Error): void };
}
const announcing = ({ headers, log }: Calling) =>
  announcer(table, {
    apiUrl: baseUrl(headers),
    onError: (error) => log.error('people are notified later', error),
  });

const reporting = ({ log }: Pick<Calling, 'log'>) => ({
  onError: (error: unknown) => log.error('a number or a chart of a story cannot be read', error as Error),
});

export const handler = endpointGroup(
  [
    bind(storyRoutes.listStories, ({ principal, query }) => listStories(deps, principal, query)),
    bind(storyRoutes.createStory, async ({ principal, body, newId: id }) =>
      createStory(deps, following, { id, principal, story: await withTemplate(deps, principal, body) }),
    ),
    bind(storyRoutes.getStory, ({ principal, params: { id }, query, ...call }) =>
      getStory(deps, { principal, id, ...query, ...reporting(call) }),
    ),
    bind(storyRoutes.updateStory, ({ principal, params: { id }, query, body: change }) =>
      updateStory(deps, { principal, id, change, ...query }),
    ),
    bind(storyRoutes.deleteStory, ({ principal, params: { id } }) => deleteStory(deps, { principal, id })),
    bind(storyRoutes.restoreStory, ({ principal, params: { id } }) => restoreStory(deps, { principal, id })),
    bind(storyRoutes.archiveStory, ({ principal, params: { id }, body }) =>
      archiveStory(deps, { principal, id, ...body }),
    ),

    bind(templateRoutes.listStoryTemplates, ({ principal, query }) => listTemplates(deps, principal, query)),
    bind(templateRoutes.createStoryTemplate, ({ principal, body: template, newId: id }) =>
      createTemplate(deps, { id, principal, template }),
    ),
    bind(templateRoutes.getStoryTemplate, ({ principal, params }) => getTemplate(deps, { principal, ...params })),
    bind(templateRoutes.deleteStoryTemplate, ({ principal, params }) => deleteTemplate(deps, { principal, ...params })),

    bind(aiRoutes.outlineStory, ({ principal, body }) => outlineStory(deps, { principal, ...body })),
    bind(aiRoutes.suggestNextSection, ({ principal, params: { id } }) => suggestNext(deps, { principal, id })),
    bind(aiRoutes.rewriteText, ({ principal, params: { id }, body: rewrite }) =>
      rewriteText(deps, { principal, id, rewrite }),
    ),
    bind(aiRoutes.refreshSection, ({ principal, params, body: refresh }) =>
      refreshSection(deps, { principal, ...params, refresh }),
    ),

    bind(sectionRoutes.addStorySection, ({ principal, params: { id }, body: section, newId }) =>
      addSection(deps, { principal, id, section, newId }),
    ),
    bind(sectionRoutes.getStorySection, ({ principal, params }) => getSection(deps, { principal, ...params })),
    bind(sectionRoutes.updateStorySection, ({ principal, params, query, body: change }) =>
      updateSection(deps, { principal, ...params, ...query, change }),
    ),
    bind(sectionRoutes.deleteStorySection, ({ principal, params }) => deleteSection(deps, { principal, ...params })),
    bind(sectionRoutes.reorderStorySections, ({ principal, params: { id }, body }) =>
      reorderSections(deps, { principal, id, ...body }),
    ),
    bind(sectionRoutes.updateStorySectionWork, ({ principal, params, body: work, ...call }) =>
      updateWork(deps, announcing(call), { principal, ...params, work }),
    ),
    bind(sectionRoutes.setStorySectionEditors, ({ principal, params, body }) =>
      setEditors(deps, { principal, ...params, ...body }),
    ),
    bind(sectionRoutes.setStorySectionReadOnly, ({ principal, params, body }) =>
      setReadOnly(deps, { principal, ...params, ...body }),
    ),
    bind(sectionRoutes.setStorySectionVisibility, ({ principal, params, body }) =>
      setVisibility(deps, { principal, ...params, ...body }),
    ),
    bind(sectionRoutes.lockStorySection, ({ principal, params, body }) =>
      takeLock(deps, { principal, ...params, ...body }),
    ),
    bind(sectionRoutes.unlockStorySection, ({ principal, params, query }) =>
      endLock(deps, { principal, ...params, ...query }),
    ),
    bind(sectionRoutes.listStorySectionRevisions, ({ principal, params, query }) =>
      listSectionRevisions(deps, { principal, ...params, ...query }),
    ),
    bind(sectionRoutes.listStoryRevisions, ({ principal, params: { id }, query }) =>
      listTitleRevisions(deps, { principal, id, ...query }),
    ),
    bind(sectionRoutes.getStorySectionRevision, ({ principal, params }) =>
      getSectionRevision(deps, { principal, ...params }),
    ),

    bind(suggestionRoutes.acceptStorySuggestion, async ({ principal, params, ...call }) => {
      const { commentId, ...section } = params;
      const named = { principal, ...section, commentIds: [commentId] };
      const accepted = await acceptSuggestions(deps, announcing(call), named);
      return { ...accepted.items[0]!, section: accepted.section };
    }),
    bind(suggestionRoutes.acceptStorySuggestions, ({ principal, params, body, ...call }) =>
      acceptSuggestions(deps, announcing(call), { principal, ...params, ...body }),
    ),
    bind(suggestionRoutes.rejectStorySuggestion, ({ principal, params }) =>
      rejectSuggestion(deps, { principal, ...params }),
    ),

    bind(versionRoutes.publishStory, ({ principal, params: { id }, body, newId: requestId, ...call }) =>
      publishStory(deps, announcing(call), { principal, id, ...body, requestId, ...reporting(call) }),
    ),
    bind(versionRoutes.listStoryVersions, ({ principal, params: { id }, query }) =>
      listVersions(deps, { principal, id, ...query }),
    ),
    bind(versionRoutes.getStoryVersion, ({ principal, params }) => getVersion(deps, { principal, ...params })),
    bind(versionRoutes.restoreStoryVersion, ({ principal, params, body, ...call }) =>
      restoreVersion(deps, announcing(call), { principal, ...params, ...body, ...reporting(call) }),
    ),
    bind(versionRoutes.requestStoryReview, ({ principal, params: { id }, body, newId: requestId, ...call }) =>
      requestReview(deps, announcing(call), { principal, id, ...body, requestId }),
    ),
    bind(versionRoutes.endStoryReview, ({ principal, params: { id } }) => endReview(deps, { principal, id })),
    bind(versionRoutes.decideStoryReview, ({ principal, params: { id }, body, ...call }) =>
      decideReview(deps, announcing(call), { principal, id, ...body }),
    ),

    bind(chatRoutes.listStoryChatTargets, ({ principal, params: { id } }) => listChatTargets(deps, { principal, id })),
    bind(chatRoutes.shareStoryToChat, ({ principal, params: { id }, body, newId: requestId, headers }) =>
      shareToChat(deps, { principal, id, ...body, requestId, apiUrl: baseUrl(headers) }),
    ),

    bind(accessRoutes.listStoryAccess, ({ principal, params: { id }, query }) =>
      listAccess(deps, { principal, id, ...query }),
    ),
    bind(accessRoutes.grantStoryAccess, ({ principal, params: { id }, body }) =>
      grantAccess(deps, { principal, id, ...body }),
    ),
    bind(accessRoutes.setStoryAccess, ({ principal, params, body }) =>
      setAccess(deps, { principal, ...params, ...body }),
    ),
    bind(accessRoutes.revokeStoryAccess, ({ principal, params }) => revokeAccess(deps, { principal, ...params })),
    bind(accessRoutes.findStoryCandidates, ({ principal, params: { id }, query }) =>
      findCandidates(deps, { principal, id, ...query }),
    ),
    bind(accessRoutes.checkStoryAccess, ({ principal, params: { id }, query }) =>
      checkAccess(deps, { principal, id, ...query }),
    ),

    bind(peopleRoutes.listStoryActivity, ({ principal, params: { id }, query }) =>
      storyActivity(deps, { principal, id, ...query }),
    ),
    bind(peopleRoutes.followStory, ({ principal, params: { id } }) =>
      setFollowing(deps, following, { principal, id, following: true }),
    ),
    bind(peopleRoutes.unfollowStory, ({ principal, params: { id } }) =>
      setFollowing(deps, following, { principal, id, following: false }),
    ),
    bind(peopleRoutes.reportStoryPresence, ({ principal, params: { id }, body }) =>
      reportPresence(deps, { principal, id, ...body }),
    ),
    bind(peopleRoutes.listStoryReaders, ({ principal, params: { id } }) => storyReaders(deps, { principal, id })),
  ],
  { ...group, isGranted: grantCheck(table) },
);
