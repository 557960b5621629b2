import { appendFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { GROUPS } from '../../functions/api.ts';
import { withoutDocumentation } from '../../infra/build/validators.ts';
import { withCurrentNames } from '../../shared/platform/http/former-names.ts';
import { LINES_TYPE } from '../../shared/platform/http/lines.ts';
import { errorsOf, isScim, type Route, showsVersion } from '../../shared/platform/http/route.ts';
import { Router } from '../../shared/platform/http/router.ts';
import { problemIssues, replyIssues, requestIssues, scimErrorIssues } from './api-document.ts';

/**
 * Holds every request that the server accepts (by the current names of its members), and every reply, against the
 * OpenAPI document, and notes which declared errors were met. What the document does not promise fails the test that
 * sent or received it.
 */
const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
const routes = new Router(GROUPS.flatMap((group) => group.routes));
const compiled = new Map<object, ValidateFunction>();

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape; the shape itself is checked here
  body: any;
  /** The body as it came. */
  bytes: Buffer;
}

export function assertConforms(method: string, path: string, reply: Reply, sent?: string): void {
  const { pathname } = new URL(path, 'http://localhost');
  const match = routes.match(method, pathname);
  if (match.found !== 'route') {
    const expected = match.found === 'otherMethod' ? 405 : 404;
    if (reply.status !== expected) throw new Error(`${method} ${path} is not declared but answered ${reply.status}`);
    const issues = pathname.startsWith('/api/scim/v2') ? scimErrorIssues : problemIssues;
    assertNone(issues(reply.body), `${method} ${path}`, reply.body);
    return;
  }
  const { route } = match;
  const what = `${route.operationId} ${reply.status}`;
  if (reply.status >= 400) {
    assertNone((isScim(route) ? scimErrorIssues : problemIssues)(reply.body), what, reply.body);
    const code = isScim(route) ? reply.headers.get('x-error-code')! : reply.body.code;
    // A service behind any route may be busy, which no test can bring about for each of them.
    if (![...errorsOf(route), 'SERVICE_BUSY'].includes(code)) {
      throw new Error(`${what}: answers ${code}, which is not declared: ${JSON.stringify(reply.body)}`);
    }
    appendFileSync(process.env.PROMISES_FILE!, `${route.operationId} ${code}\n`);
    return;
  }
  if (reply.status !== route.success.status) throw new Error(`${what}: declared is ${route.success.status}`);
  assertSuccess(route, reply, what);
  const isText = (route.form || route.fileBody) && !sent?.startsWith('{');
  // Identity providers send more than is declared, which is accepted.
  if (sent && route.body && !isText && !isScim(route)) {
    const { input } = withCurrentNames(JSON.parse(sent), route.body);
    assertNone(requestIssues(route.operationId, input), `${what} to`, sent);
  }
  appendFileSync(process.env.PROMISES_FILE!, `${route.operationId} success\n`);
}

function assertSuccess(route: Route, reply: Reply, what: string): void {
  const { success } = route;
  const type = reply.headers.get('content-type');
  if ('contentTypes' in success && !success.contentTypes.includes(type ?? '')) {
    throw new Error(`${what}: answers ${type}, declared are ${success.contentTypes.join(', ')}`);
  }
  if ('body' in success && success.body && /^application\/(scim\+)?json$/.test(type ?? '')) {
    assertNone(replyIssues(route.operationId, reply.status, reply.body), what, reply.body);
  }
  if ('lines' in success) {
    if (type !== LINES_TYPE) throw new Error(`${what}: answers ${type}, declared is ${LINES_TYPE}`);
    for (const line of reply.bytes.toString().trimEnd().split('\n'))
      assertNone(replyIssues(route.operationId, reply.status, JSON.parse(line)), what, line);
  }
  if (showsVersion(route) && reply.headers.get('etag') !== `"${reply.body.revision}"`) {
    throw new Error(`${what}: the ETag ${reply.headers.get('etag')} is not the revision ${reply.body.revision}`);
  }
}

export function validates(schema: object, value: unknown): boolean {
  return validatorOf(schema)(value) === true;
}

/** What is wrong with a value, in words; empty when nothing is. */
export function issuesOf(schema: object, value: unknown): string {
  const validate = validatorOf(schema);
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

function validatorOf(schema: object): ValidateFunction {
  let validate = compiled.get(schema);
  if (!validate) {
    validate = ajv.compile(withoutDocumentation(schema));
    compiled.set(schema, validate);
  }
  return validate;
}

function assertNone(issues: string, what: string, value: unknown): void {
  if (!issues) return;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  throw new Error(`${what}: ${issues} in ${text.slice(0, 2000)}`);
}

/** Every promise of the API that a test must have met: each operation's success and each of its declared errors. */
export function promises(): string[] {
  return GROUPS.flatMap((group) => group.routes).flatMap((route: Route) => [
    `${route.operationId} success`,
    ...errorsOf(route).map((code) => `${route.operationId} ${code}`),
  ]);
}
