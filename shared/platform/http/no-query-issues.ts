import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Issue } from '../errors/app-error.ts';
import { unknownMember } from '../validation/issue-messages.ts';
import { escapePointer } from '../validation/json-pointer.ts';

/** The issues of query parameters for an operation that declares none. */
export function noQueryIssues({ queryStringParameters }: Pick<APIGatewayProxyEvent, 'queryStringParameters'>): Issue[] {
  return Object.keys(queryStringParameters ?? {}).map((name) => ({
    pointer: `/query/${escapePointer(name)}`,
    ...unknownMember(name, []),
  }));
}
