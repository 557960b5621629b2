import type { APIGatewayProxyEvent } from 'aws-lambda';
import { headersOf } from '../../../shared/platform/http/headers.ts';
import type { ApiMiddleware } from '../../../shared/platform/http/middlewares/request-value.ts';
import { newNonce, pageHeaders } from '../../../shared/platform/pages/page-headers.ts';
import type { PageFiles } from './page-files.ts';
import { linkHeaders } from './page-reply.ts';
import { type PageKind, problemPage } from './problem-page.ts';
import { signInPage } from './sign-in-page.ts';

/**
 * Shows problems as pages to browsers that navigate: the sign-in page for 401, otherwise a page that explains the
 * problem.
 */
export function readableProblems(files: () => Promise<PageFiles>): ApiMiddleware {
  return {
    onError: async (request) => {
      const { event, response } = request;
      if (!response || !isNavigation(event)) return;
      const nonce = newNonce();
      const kind = kindOf(event.path);
      const { requestId } = event.requestContext;
      const { statusCode: status } = response;
      const found = await files();
      const { 'www-authenticate': _scheme, ...headers } = response.headers;
      request.response = {
        ...response,
        headers: { ...headers, ...headersFor(event.path, nonce), 'content-type': 'text/html; charset=utf-8' },
        body:
          status === 401 && kind !== 'link'
            ? signInPage(found, nonce)
            : problemPage(found, nonce, { status, requestId, kind }),
      };
    },
  };
}

const LINK_PAGES = /^\/api\/[es]\//;

function kindOf(path: string): PageKind {
  if (LINK_PAGES.test(path)) return 'link';
  if (path === '/api/d/connect' || path === '/api/d/device') return 'program';
  return path.startsWith('/api/d/stories/') ? 'story' : 'dashboard';
}

/**
 * Any site may frame the page of a view that has ended: its workspace is unknown, and the page has nothing to click.
 */
const headersFor = (path: string, nonce: string) =>
  LINK_PAGES.test(path) ? linkHeaders(nonce, path.startsWith('/api/e/') ? ['*'] : []) : pageHeaders(nonce);

const isNavigation = (event: APIGatewayProxyEvent): boolean =>
  event.httpMethod === 'GET' && /\btext\/html\b/i.test(headersOf(event).accept ?? '');
