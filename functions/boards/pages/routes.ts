import { ASSET_TYPES } from '../../../shared/platform/http/asset-types.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import {
  AssetParams,
  ConnectQuery,
  DashboardParams,
  EmbedQuery,
  LinkParams,
  LinkQuery,
  MemberDashboardQuery,
  OpenSession,
  PageSession,
  PageSessionEnd,
  SignInQuery,
  StoryPageQuery,
  StoryParams,
  UnlockedPage,
  UnlockPage,
} from './schemas.ts';

const HTML = 'text/html; charset=utf-8';

export const getSignInPage = defineRoute({
  operationId: 'getSignInPage',
  method: 'GET',
  path: '/api/sign-in',
  summary: 'Get the sign-in page',
  description:
    'Returns an HTML page where people sign in with a passkey, a password, a second factor or an identity provider. After the sign-in, the browser opens `next`.',
  permission: 'public',
  query: SignInQuery,
  success: { status: 200, contentTypes: [HTML] },
});

export const getDevicePage = defineRoute({
  operationId: 'getDevicePage',
  method: 'GET',
  path: '/api/d/device',
  summary: 'Get the page for a device',
  description:
    'Returns an HTML page where the signed-in person enters the code of a program, reads what it asks for, and approves or denies it. A cookie identifies the sign-in. Browsers without a sign-in get the sign-in page.',
  permission: 'public',
  success: { status: 200, contentTypes: [HTML] },
  errors: ['UNAUTHENTICATED'],
});

export const getConnectPage = defineRoute({
  operationId: 'getConnectPage',
  method: 'GET',
  path: '/api/d/connect',
  summary: 'Get the page for a program',
  description:
    'Returns an HTML page where the signed-in person approves or denies a program on the same computer, which has opened the page and waits at `redirectUri`. The browser then opens that address, with `code` and `state`, or with `error=access_denied` and `state`. A cookie identifies the sign-in. Browsers without a sign-in get the sign-in page. Links of other sites do not lead here.',
  permission: 'public',
  query: ConnectQuery,
  success: { status: 200, contentTypes: [HTML] },
  errors: ['UNAUTHENTICATED', 'FORBIDDEN'],
});

export const getDashboardPage = defineRoute({
  operationId: 'getDashboardPage',
  method: 'GET',
  path: '/api/d/{id}',
  summary: 'Get the page of a dashboard',
  description:
    'Returns an HTML page with the dashboard as the signed-in person sees it: the published version, or the draft for its editors. A cookie identifies the sign-in. Browsers without a sign-in get the sign-in page.',
  permission: 'public',
  params: DashboardParams,
  query: MemberDashboardQuery,
  success: { status: 200, contentTypes: [HTML] },
  errors: ['UNAUTHENTICATED', 'DASHBOARD_NOT_FOUND'],
});

export const getStoryPage = defineRoute({
  operationId: 'getStoryPage',
  method: 'GET',
  path: '/api/d/stories/{id}',
  summary: 'Get the page of a story',
  description:
    'Returns an HTML page with the story as the signed-in person sees it: the published version, or the draft until one is published. Sections that the person may not see are left out. A cookie identifies the sign-in. Browsers without a sign-in get the sign-in page.',
  permission: 'public',
  params: StoryParams,
  query: StoryPageQuery,
  success: { status: 200, contentTypes: [HTML] },
  errors: ['UNAUTHENTICATED', 'STORY_NOT_FOUND'],
});

export const getSharePage = defineRoute({
  operationId: 'getSharePage',
  method: 'GET',
  path: '/api/s/{token}',
  summary: 'Get the page of a share link',
  description:
    'Returns an HTML page with the shared dashboard, or a page that asks for the password of the link. Opening the dashboard counts as a view. The head of the page holds what other applications show of the link, as far as the `preview` of the link allows.',
  permission: 'public',
  params: LinkParams,
  query: LinkQuery,
  success: { status: 200, contentTypes: [HTML] },
  errors: ['SHARE_NOT_FOUND'],
});

export const unlockSharePage = defineRoute({
  operationId: 'unlockSharePage',
  method: 'POST',
  path: '/api/s/{token}',
  summary: 'Open a share link with its password',
  description: 'For the page that asks for the password: returns the content that the password opens.',
  permission: 'public',
  params: LinkParams,
  body: UnlockPage,
  success: { status: 200, body: UnlockedPage },
  errors: ['SHARE_NOT_FOUND', 'SHARE_PASSWORD', 'TOO_MANY_PASSWORDS'],
});

export const getEmbedPage = defineRoute({
  operationId: 'getEmbedPage',
  method: 'GET',
  path: '/api/e/{token}',
  summary: 'Get the page of an embedded view',
  description:
    'Returns an HTML page for a frame. Only the embed domains of the workspace may frame it, and it reports its height to the page around it.',
  permission: 'public',
  params: LinkParams,
  query: EmbedQuery,
  success: { status: 200, contentTypes: [HTML] },
  errors: ['SHARE_NOT_FOUND'],
});

export const getEmbedScript = defineRoute({
  operationId: 'getEmbedScript',
  method: 'GET',
  path: '/api/e/view.js',
  summary: 'Get the script for embedding pages',
  description: 'Returns a script that defines the element `<analytics-view>`. Browsers may cache it for an hour.',
  permission: 'public',
  success: { status: 200, contentTypes: [ASSET_TYPES.js] },
});

export const openPageSession = defineRoute({
  operationId: 'openPageSession',
  method: 'POST',
  path: '/api/d/session',
  summary: 'Renew the sign-in of a browser',
  description:
    'For the pages of the platform. Stores the refresh token of a sign-in in a cookie that scripts cannot read; later calls use the cookie to return access tokens. Requests from other sites are rejected.',
  permission: 'public',
  body: OpenSession,
  optionalBody: true,
  success: {
    status: 200,
    contentTypes: ['application/json'],
    body: PageSession,
    headers: { 'set-cookie': 'The refresh token; browsers send it only to the pages of the platform.' },
  },
  errors: ['INVALID_REFRESH_TOKEN', 'FORBIDDEN'],
  audit: 'session.token_reused',
});

export const endPageSession = defineRoute({
  operationId: 'endPageSession',
  method: 'DELETE',
  path: '/api/d/session',
  summary: 'End the sign-in of a browser',
  description:
    'Ends the sign-in that the cookie identifies, and removes the cookie. Requests from other sites are rejected.',
  permission: 'public',
  success: {
    status: 200,
    contentTypes: ['application/json'],
    body: PageSessionEnd,
    headers: { 'set-cookie': 'Removes the cookie.' },
  },
  errors: ['FORBIDDEN'],
  audit: 'user.signed_out',
});

export const getPageAsset = defineRoute({
  operationId: 'getPageAsset',
  method: 'GET',
  path: '/api/d/assets/{file}',
  summary: 'Get a file of the dashboard pages',
  description:
    'Returns a script, a style sheet or an icon. The name contains a hash of the content, so browsers may cache the file indefinitely.',
  permission: 'public',
  params: AssetParams,
  success: { status: 200, contentTypes: [ASSET_TYPES.js, ASSET_TYPES.css, ASSET_TYPES.svg], chosenBy: 'path' },
  errors: ['PAGE_NOT_FOUND'],
});
