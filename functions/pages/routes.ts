import { ASSET_TYPES } from '../../shared/platform/http/asset-types.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import {
  AssetParams,
  DashboardParams,
  DashboardQuery,
  OpenSession,
  PageSession,
  PageSessionEnd,
  SignInQuery,
} from './schemas.ts';

const HTML = 'text/html; charset=utf-8';

export const getSignInPage = defineRoute({
  operationId: 'getSignInPage',
  method: 'GET',
  path: '/api/sign-in',
  summary: 'Get the sign-in page',
  description:
    'An HTML page where people sign in by password, second factor or identity provider. It continues with `next`.',
  permission: 'public',
  query: SignInQuery,
  success: { status: 200, contentTypes: [HTML] },
});

export const getDashboardPage = defineRoute({
  operationId: 'getDashboardPage',
  method: 'GET',
  path: '/api/d/{id}',
  summary: 'Get the page of a dashboard',
  description:
    'An HTML page for a browser, with the dashboard as the signed-in person sees it: the published version, or the draft for its editors. The sign-in is in a cookie. Browsers that are not signed in get a page where people sign in.',
  permission: 'public',
  params: DashboardParams,
  query: DashboardQuery,
  success: { status: 200, contentTypes: [HTML] },
  errors: ['UNAUTHENTICATED', 'DASHBOARD_NOT_FOUND'],
});

export const openPageSession = defineRoute({
  operationId: 'openPageSession',
  method: 'POST',
  path: '/api/d/session',
  summary: 'Renew the sign-in of a browser',
  description:
    'For the pages of the platform: puts the refresh token of a sign-in into a cookie that no script can read, and later returns access tokens for it. Requests of other sites are rejected.',
  permission: 'public',
  body: OpenSession,
  optionalBody: true,
  success: {
    status: 200,
    contentTypes: ['application/json'],
    body: PageSession,
    headers: { 'set-cookie': 'The refresh token, for the pages alone.' },
  },
  errors: ['INVALID_REFRESH_TOKEN', 'FORBIDDEN'],
  audit: 'session.token_reused',
});

export const endPageSession = defineRoute({
  operationId: 'endPageSession',
  method: 'DELETE',
  path: '/api/d/session',
  summary: 'End the sign-in of a browser',
  description: 'Ends the sign-in of the cookie, and removes the cookie. Requests of other sites are rejected.',
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
  summary: 'Get a file of the pages of dashboards',
  description:
    'A script, a style sheet or an icon. The name carries a digest of the content, so a browser may keep the file for good.',
  permission: 'public',
  params: AssetParams,
  success: { status: 200, contentTypes: [ASSET_TYPES.js, ASSET_TYPES.css, ASSET_TYPES.svg], chosenBy: 'path' },
  errors: ['PAGE_NOT_FOUND'],
});
