import { Content, ContentElsewhere, negotiate } from './content.ts';
import { entityTag, matchesTag } from './entity-tag.ts';
import { JsonText } from './json-text.ts';
import { LINES_TYPE, type Lines } from './lines.ts';
import type { HttpReply } from './problem.ts';
import { Redirect } from './redirect.ts';
import { isNegotiated, isVersioned, type Route, showsVersion } from './route.ts';

const JSON_TYPE = 'application/json';

/** Negotiates the content type of the reply before the work begins. Throws `NOT_ACCEPTABLE`. */
export function chooseContentType(route: Route, accept: string | undefined): string {
  if (!('contentTypes' in route.success)) return JSON_TYPE;
  const { contentTypes } = route.success;
  return isNegotiated(route) ? negotiate(accept, contentTypes) : contentTypes[0];
}

const isRecord = (result: unknown): boolean => typeof result === 'object' && result !== null;

/** Serialises the result of a route's function as the route declares. */
export function serialise(route: Route, contentType: string, result: unknown, ifNoneMatch?: string): HttpReply {
  const { status } = route.success;
  if (status === 204) {
    // Changes without a reply still say which revision they have made.
    const headers: Record<string, string> = isVersioned(route) && isRecord(result) ? { etag: entityTag(result) } : {};
    return { statusCode: status, headers, body: '' };
  }
  if (status === 302) return { statusCode: status, headers: { location: route.success.to }, body: '' };
  if (result instanceof Redirect) return { statusCode: status, headers: { location: result.location }, body: '' };
  if ('lines' in route.success) {
    // Proxies that collect a reply before they pass it on would make the client wait for all lines.
    const headers = { 'content-type': LINES_TYPE, 'x-accel-buffering': 'no' };
    return { statusCode: status, headers, body: '', lines: result as Lines };
  }
  const headers = {
    'content-type': contentType,
    ...(isNegotiated(route) ? { vary: 'accept' } : {}),
    ...(showsVersion(route) ? { etag: entityTag(result) } : {}),
  };
  if (result instanceof Content) {
    const { disposition, etag } = result;
    if (etag !== undefined && matchesTag(etag, ifNoneMatch)) {
      return { statusCode: 304, headers: { ...result.headers }, body: '' };
    }
    return {
      statusCode: result.status ?? status,
      headers: { ...headers, ...result.headers, ...(disposition ? { 'content-disposition': disposition } : {}) },
      ...result.encoded(contentType),
    };
  }
  if (result instanceof ContentElsewhere) {
    const sent = { ...headers, ...result.headers, 'content-type': JSON_TYPE };
    return { statusCode: status, headers: sent, body: JSON.stringify(result.link) };
  }
  if (contentType !== JSON_TYPE) throw new Error(`${route.operationId} did not return ${contentType}`);
  return { statusCode: status, headers, body: result instanceof JsonText ? result.text : JSON.stringify(result) };
}
