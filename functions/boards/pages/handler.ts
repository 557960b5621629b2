import { join } from 'node:path';
import { seenParts } from '../../../shared/domains/boards/cards/index.ts';
import { dashboardStore, dashboardVersions } from '../../../shared/domains/boards/dashboards/index.ts';
import { themeRepository } from '../../../shared/domains/boards/themes/index.ts';
import { signInPolicy } from '../../../shared/domains/identity/identity-providers/index.ts';
import { passkeys } from '../../../shared/domains/identity/passkeys/index.ts';
import { type SignedIn, sessionChain, sessionStore } from '../../../shared/domains/identity/sessions/index.ts';
import { blendRepository } from '../../../shared/domains/semantics/blends/index.ts';
import { metricRepository } from '../../../shared/domains/semantics/metrics/index.ts';
import { sourceTables } from '../../../shared/domains/semantics/models/index.ts';
import { findLiveSource } from '../../../shared/domains/semantics/queries/index.ts';
import { rightsDeps } from '../../../shared/domains/semantics/row-rights/index.ts';
import { savedQueryRepository } from '../../../shared/domains/semantics/saved-queries/index.ts';
import {
  embedDomainRepository,
  linkedContents,
  linkPasswords,
  linkResolver,
  linkViews,
  shareRepository,
  type Visitor,
} from '../../../shared/domains/sharing/shares/index.ts';
import { storyStore, storyVersions } from '../../../shared/domains/stories/stories/index.ts';
import { grantReader } from '../../../shared/domains/tenancy/grants/index.ts';
import { datasetRepository } from '../../../shared/domains/warehouse/datasets/index.ts';
import { dataSourceRepository } from '../../../shared/domains/warehouse/sources/index.ts';
import { passwords } from '../../../shared/platform/auth/password.ts';
import { baseUrl } from '../../../shared/platform/http/base-url.ts';
import { bindPublic } from '../../../shared/platform/http/bind.ts';
import { Content } from '../../../shared/platform/http/content.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { SiteFiles } from '../../../shared/platform/http/site-files.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { newNonce, pageHeaders } from '../../../shared/platform/pages/page-headers.ts';
import { readAsset } from '../../../shared/platform/pages/read-asset.ts';
import { connectPage, devicePage } from './device-page.ts';
import { assertOwnRequest, isSecure } from './own-request.ts';
import { readEmbedScript, readPageFiles } from './page-files.ts';
import { linkHeaders } from './page-reply.ts';
import { readableProblems } from './readable-problems.ts';
import * as routes from './routes.ts';
import { endedCookie, sessionCookie, sessionTokenOf } from './session-cookie.ts';
import { signInPage } from './sign-in-page.ts';
import { endSession, openSession, readerOf } from './use-cases/page-session.ts';
import { showDashboard } from './use-cases/show-dashboard.ts';
import { showEmbedded, showShare, unlockShare } from './use-cases/show-link.ts';
import { type ShowStoryDeps, showStory } from './use-cases/show-story.ts';

const site = new SiteFiles(join(import.meta.dirname, 'site'));
const group = openGroup('pages');
const { table, now, tokens } = group;
const files = () => readPageFiles(site);
const versions = dashboardVersions(table);
const deps = {
  accounts: { ...sessionStore(table), ...sessionChain(table) },
  passkeys: passkeys(table),
  policy: signInPolicy(table),
  authenticate: group.authenticate,
  tokens,
  store: dashboardStore(table),
  versions,
  links: {
    resolve: linkResolver(table),
    passwords: linkPasswords(group, passwords(Number(environment('PASSWORD_COST')))),
    views: linkViews(group, shareRepository(table)),
    domains: embedDomainRepository(table),
  },
  themes: themeRepository(table),
  grantOf: grantReader(table, 'dashboard'),
  files,
  now,
};

const rights = rightsDeps(table, now);
const sources = dataSourceRepository(table);
const storyDeps: ShowStoryDeps = {
  store: storyStore(table),
  versions: storyVersions(table),
  grantOf: grantReader(table, 'story'),
  charts: {
    rights,
    definitions: rights.definitions,
    live: { find: (workspaceId, sourceId) => findLiveSource(sources, workspaceId, sourceId) },
    readTables: sourceTables(table, objectStore(environment('DATA_BUCKET'))),
    datasets: datasetRepository(table),
    savedQueries: savedQueryRepository(table).queries,
    metrics: metricRepository(table),
    blends: blendRepository(table),
    now,
  },
  sources: { dashboards: deps.store, dashboardVersions: versions },
  dashboardFor: (principal, id) => seenParts(deps, { principal, id }),
  themes: deps.themes,
  files,
};

const linkDeps = {
  ...deps,
  content: { ...linkedContents(table), sectionRights: { charts: storyDeps.charts, sources: storyDeps.sources } },
};

export const handler = endpointGroup(
  [
    bindPublic(routes.getSignInPage, async () => {
      const nonce = newNonce();
      return new Content(signInPage(await files(), nonce), { headers: pageHeaders(nonce) });
    }),
    bindPublic(routes.getDevicePage, async ({ headers }) => {
      const nonce = newNonce();
      const principal = await readerOf(deps, sessionTokenOf(headers));
      return new Content(devicePage(await files(), { nonce, principal }), { headers: pageHeaders(nonce) });
    }),
    bindPublic(routes.getConnectPage, async ({ query, headers }) => {
      // Programs open it, and it opens itself after a sign-in; a link on another site may ask for its own program.
      assertOwnRequest(headers);
      const nonce = newNonce();
      const principal = await readerOf(deps, sessionTokenOf(headers));
      return new Content(connectPage(await files(), { nonce, principal, query }), { headers: pageHeaders(nonce) });
    }),
    bindPublic(routes.getDashboardPage, async ({ params: { id }, query, headers }) => {
      const nonce = newNonce();
      const principal = await readerOf(deps, sessionTokenOf(headers));
      const page = await showDashboard(deps, { id, principal, pageId: query.page, nonce });
      return new Content(page, { headers: pageHeaders(nonce) });
    }),
    bindPublic(routes.getStoryPage, async ({ params: { id }, query, headers }) => {
      const nonce = newNonce();
      const principal = await readerOf(deps, sessionTokenOf(headers));
      const page = await showStory(storyDeps, { id, principal, ...query, nonce });
      return new Content(page, { headers: pageHeaders(nonce) });
    }),
    bindPublic(routes.getSharePage, async ({ params: { token }, query, sourceIp, headers }) => {
      const nonce = newNonce();
      const visitor = visitorOf(sourceIp, headers);
      const page = await showShare(linkDeps, { token, pageId: query.page, nonce, visitor, baseUrl: baseUrl(headers) });
      return new Content(page, { headers: linkHeaders(nonce) });
    }),
    bindPublic(routes.unlockSharePage, ({ params: { token }, body: { password, page }, sourceIp, headers }) =>
      unlockShare(linkDeps, { token, password, pageId: page, visitor: visitorOf(sourceIp, headers) }),
    ),
    bindPublic(routes.getEmbedPage, async ({ params: { token }, query, sourceIp, headers }) => {
      const nonce = newNonce();
      const { page: pageId, theme } = query;
      const visitor = visitorOf(sourceIp, headers);
      const { page, ancestors } = await showEmbedded(linkDeps, { token, pageId, theme, nonce, visitor });
      return new Content(page, { headers: linkHeaders(nonce, ancestors) });
    }),
    bindPublic(routes.getEmbedScript, () => readEmbedScript(site)),
    bindPublic(routes.openPageSession, async ({ body, headers }) => {
      assertOwnRequest(headers);
      const signedIn = await openSession(deps, { ...body, cookieToken: sessionTokenOf(headers) });
      return sessionReply(signedIn, headers);
    }),
    bindPublic(routes.endPageSession, async ({ headers }) => {
      assertOwnRequest(headers);
      const signedOut = await endSession(deps, sessionTokenOf(headers));
      return jsonWithCookie({ signedOut }, endedCookie({ isSecure: isSecure(headers) }));
    }),
    bindPublic(routes.getPageAsset, ({ params }) => readAsset(site, params.file)),
  ],
  { ...group, showProblems: readableProblems(files) },
);

const visitorOf = (sourceIp: string, headers: Readonly<Record<string, string>>): Visitor => ({
  sourceIp,
  userAgent: headers['user-agent'],
});

/** Omits the refresh token, which only the cookie may contain. */
function sessionReply(signedIn: SignedIn, headers: Record<string, string>): Content {
  const { accessToken, expiresInSeconds, workspaceId, user, refreshToken } = signedIn;
  const cookie = sessionCookie(refreshToken, { isSecure: isSecure(headers) });
  return jsonWithCookie({ accessToken, expiresInSeconds, workspaceId, user }, cookie);
}

const jsonWithCookie = (value: unknown, cookie: string): Content =>
  new Content(JSON.stringify(value), { headers: { 'set-cookie': cookie, 'cache-control': 'no-store' } });
