import type { APIGatewayProxyEvent } from 'aws-lambda';

/** The headers of a request by lower-case name. */
export function headersOf({ headers }: Pick<APIGatewayProxyEvent, 'headers'>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value ?? '']));
}
