import { invalidValue, type Members } from './values.ts';

export const LIST_URN = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const DEFAULT_COUNT = 100;
export const MAX_COUNT = 200;

/** What a client asks of a list, from the query or the body of a search. */
export interface ListQuery {
  filter: string | undefined;
  attributes: string | readonly string[] | undefined;
  excludedAttributes: string | readonly string[] | undefined;
  /** From 1. */
  startIndex: number;
  /** 0 asks for the total only. */
  count: number;
}

/** Reads parameters by their lower-case names. Out of range is the nearest possible (RFC 7644, section 3.4.2.4). */
export function readListQuery(parameters: Record<string, unknown>): ListQuery {
  const filter = parameters.filter;
  if (filter !== undefined && typeof filter !== 'string') throw invalidValue('filter must be a text.');
  return {
    filter: filter?.trim() === '' ? undefined : filter,
    attributes: readNames(parameters.attributes),
    excludedAttributes: readNames(parameters.excludedattributes),
    startIndex: Math.max(1, readNumber(parameters.startindex, 1, 'startIndex')),
    count: Math.min(MAX_COUNT, Math.max(0, readNumber(parameters.count, DEFAULT_COUNT, 'count'))),
  };
}

export const readSelection = (query: Record<string, unknown>) => ({
  attributes: readNames(query.attributes),
  excludedAttributes: readNames(query.excludedattributes),
});

function readNames(value: unknown): string | readonly string[] | undefined {
  if (Array.isArray(value)) return value.filter((name) => typeof name === 'string');
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function readNumber(value: unknown, absent: number, name: string): number {
  if (value === undefined || value === null || value === '') return absent;
  // Other values may have a `toString` of their own that is no function.
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) throw invalidValue(`${name} must be a whole number.`);
  return number;
}

export function listReply(resources: readonly Members[], totalResults: number, startIndex: number): Members {
  return { schemas: [LIST_URN], totalResults, startIndex, itemsPerPage: resources.length, Resources: resources };
}
