import type { APIGatewayProxyEvent } from 'aws-lambda';
import { AppError } from '../../errors/app-error.ts';
import { unknownMember } from '../../validation/issue-messages.ts';
import { NUMBER_RANGE, numberOutOfRange } from '../../validation/number-range.ts';
import { mediaType } from '../content.ts';
import { headersOf } from '../headers.ts';
import { exceedsNesting, MAX_NESTING, malformedPlace, nestedPlace, prototypePlace } from '../json-limits.ts';
import { isScim, type Route } from '../route.ts';
import { binding } from './match-route.ts';
import { type ApiMiddleware, RequestValue } from './request-value.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;
/** Many clients send an empty object with every POST. */
const NO_BODY = /^\s{0,100}(\{\s{0,100}\})?\s{0,100}$/;

/** The body as text and as JSON; undefined JSON if the operation has no body. */
export const body = new RequestValue<{ text: string; json: unknown }>('body');

/**
 * Parses the body as JSON. It runs after the permission check, so that bodies of unknown callers are not parsed.
 * Middy's parser passes every value to a reviver, which takes sixty times as long for a body of a megabyte; here the
 * parsed value is searched only if the text may contain a forbidden name.
 */
export function readBody(): ApiMiddleware {
  return {
    before: ({ event }) => {
      const { route } = binding.of(event);
      const text = textOf(event);
      const withoutBody = () => (isScim(route) ? undefined : assertNoBody(text));
      body.set(event, { text, json: route.body ? jsonOf(event, route, text) : withoutBody() });
    },
  };
}

function assertNoBody(text: string): undefined {
  if (NO_BODY.test(text)) return;
  throw invalid({ pointer: '', code: 'UNEXPECTED_BODY', message: 'must be omitted: this operation has no body' });
}

function jsonOf(event: APIGatewayProxyEvent, route: Route, text: string): unknown {
  const { optionalBody, maxBodyBytes, form, fileBody } = route;
  if (Buffer.byteLength(text) > (maxBodyBytes ?? MAX_BODY_BYTES)) {
    const detail = maxBodyBytes && `The request body is larger than ${maxBodyBytes / MAX_BODY_BYTES} MiB.`;
    throw new AppError('BODY_TOO_LARGE', detail ? { detail } : {});
  }
  if (text === '' && optionalBody) return {};
  // A body without a content type is parsed as JSON.
  const type = headersOf(event)['content-type'];
  if (form && type !== undefined && FORM_TYPE.test(type)) return fieldsOf(text);
  if (fileBody && mediaType(type ?? '') === fileBody.contentType) return { [fileBody.member]: text };
  if (type !== undefined && !JSON_TYPE.test(type)) {
    const detail = fileBody && `Send Content-Type: ${fileBody.contentType} with the file, or application/json.`;
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', detail ? { detail } : {});
  }
  const json = parse(text);
  assertReadable(text, json);
  if (!route.anyNumbers) assertStorable(text, json);
  return json;
}

/** The fields of a form by name; of a repeated one the last. */
const fieldsOf = (text: string): Record<string, string> => ({ ...Object.fromEntries(new URLSearchParams(text)) });

function parse(text: string): unknown {
  if (text === '') throw new AppError('INVALID_JSON', { detail: 'The request body is empty; send a JSON object.' });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('INVALID_JSON', { detail: `The request body is not valid JSON: ${(cause as Error).message}.` });
  }
}

/**
 * Rejects nesting that could exhaust the stack of recursive code, members that could reach a prototype, and texts that
 * are not valid Unicode.
 */
function assertReadable(text: string, json: unknown): void {
  if (exceedsNesting(text)) {
    const message = `must not be nested more than ${MAX_NESTING} levels deep`;
    throw invalid({ pointer: nestedPlace(json as object)!, code: 'MAX_NESTING', message });
  }
  const forbidden = prototypePlace(text, json);
  if (forbidden) throw invalid({ pointer: forbidden.pointer, ...unknownMember(forbidden.name, []) });
  const malformed = malformedPlace(text, json);
  if (malformed !== undefined) {
    throw invalid({
      pointer: malformed,
      code: 'PATTERN',
      message: 'must be valid Unicode: a surrogate lacks its other half',
    });
  }
}

function assertStorable(text: string, json: unknown): void {
  const pointer = numberOutOfRange(text, json);
  if (pointer !== undefined) throw invalid({ pointer, ...NUMBER_RANGE });
}

const invalid = (issue: { pointer: string; code: string; message: string }) =>
  new AppError('VALIDATION_FAILED', { errors: [issue] });

const textOf = ({ body: sent, isBase64Encoded }: APIGatewayProxyEvent): string =>
  isBase64Encoded ? Buffer.from(sent ?? '', 'base64').toString('utf8') : (sent ?? '');
