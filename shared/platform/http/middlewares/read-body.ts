import type { Request } from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { AppError } from '../../errors/app-error.ts';
import { unknownMember } from '../../validation/issue-words.ts';
import { headersOf } from '../headers.ts';
import { exceedsNesting, MAX_NESTING, memberPointer, nestedPointer } from '../nesting.ts';
import type { Route } from '../route.ts';
import { type ApiMiddleware, Learned } from './learned.ts';
import { binding } from './match-route.ts';

const MAX_BODY_BYTES = 1024 * 1024;
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/** The body as text and as JSON; undefined JSON where the operation takes no body. */
export const body = new Learned<{ text: string; json: unknown }>('body');

/**
 * Reads the body as JSON. It stands behind the permission check, so what strangers send is not parsed. The content type is
 * checked here rather than by the parser, because a body without one is taken as JSON.
 */
export function readBody(): ApiMiddleware {
  const parser = jsonBodyParser<APIGatewayProxyEvent>({ disableContentTypeCheck: true });
  return {
    before: async (request) => {
      const { event } = request;
      const { route } = binding.of(event);
      const text = textOf(event);
      if (!route.body) assertNoBody(text);
      else assertReadable(event, route, text);
      if (!route.body || text === '')
        body.set(event, { text, json: route.body && (route.optionalBody ? {} : undefined) });
      else body.set(event, { text, json: parse(parser, request, text) });
    },
  };
}

function assertNoBody(text: string): void {
  // Many clients send an empty object with every POST.
  if (/^\s*(\{\s*\})?\s*$/.test(text.slice(0, 100)) && text.length <= 100) return;
  throw new AppError('VALIDATION_FAILED', {
    errors: [{ pointer: '', code: 'UNEXPECTED_BODY', message: 'must be left out: this operation takes no body' }],
  });
}

function assertReadable(event: APIGatewayProxyEvent, { optionalBody }: Route, text: string): void {
  if (Buffer.byteLength(text) > MAX_BODY_BYTES) throw new AppError('BODY_TOO_LARGE');
  if (text === '' && optionalBody) return;
  const type = headersOf(event)['content-type'];
  if (type !== undefined && !JSON_TYPE.test(type)) throw new AppError('UNSUPPORTED_MEDIA_TYPE');
  if (text === '') throw new AppError('INVALID_JSON', { detail: 'The request body is empty; send a JSON object.' });
}

function parse(
  parser: ReturnType<typeof jsonBodyParser<APIGatewayProxyEvent>>,
  request: Request<APIGatewayProxyEvent>,
  text: string,
): unknown {
  if (exceedsNesting(text)) throw tooDeep(text);
  try {
    parser.before!(request);
    return request.event.body;
  } catch (error) {
    const { data, message } = (error as { cause: { data: string; message?: string } }).cause;
    if (message !== undefined) throw invalidJson(message);
    // The parser found a member that could reach a prototype.
    const { message: unknown, code } = unknownMember(data, []);
    const pointer = memberPointer(JSON.parse(text), data) ?? '';
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer, code, message: unknown }] });
  }
}

function tooDeep(text: string): AppError {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return invalidJson((error as Error).message);
  }
  const message = `must not be nested more than ${MAX_NESTING} levels deep`;
  return new AppError('VALIDATION_FAILED', {
    errors: [{ pointer: nestedPointer(value) ?? '', code: 'MAX_NESTING', message }],
  });
}

const invalidJson = (message: string) =>
  new AppError('INVALID_JSON', { detail: `The request body is not valid JSON: ${message}.` });

const textOf = ({ body: sent, isBase64Encoded }: APIGatewayProxyEvent): string =>
  isBase64Encoded ? Buffer.from(sent ?? '', 'base64').toString('utf8') : (sent ?? '');
