import { pageOf } from '../../../core/paging.ts';
import type { CloudContext } from '../../../core/service.ts';
import type { ApiGatewayControl } from '../control.ts';
import { badRequest } from '../errors.ts';

/** What the operations of the management API work with. */
export interface ManagementDeps {
  readonly context: CloudContext;
  readonly control: ApiGatewayControl;
  /** A new identifier of lower-case letters and digits. */
  newId(length: number): string;
}

export interface PageInput {
  position?: string;
  limit?: number;
}

const PAGE_SIZE = 25;
const LARGEST_PAGE = 500;

/** One page of a list, in the shape of every list of API Gateway. Throws `BadRequestException`. */
export function pageReply<T extends object>(items: T[], keyOf: (item: T) => string, page: PageInput): object {
  const size = page.limit ?? PAGE_SIZE;
  if (!Number.isInteger(size) || size < 1 || size > LARGEST_PAGE) {
    throw badRequest(`Invalid limit. Limit must be between 1 and ${LARGEST_PAGE}`);
  }
  const { items: item, next } = pageOf(items, keyOf, { size, token: page.position });
  return { item, ...(next.NextToken !== undefined && { position: next.NextToken }) };
}

/** Epoch milliseconds as the wire has them: seconds. */
export function wireTime(epochMs: number | undefined): number | undefined {
  return epochMs === undefined ? undefined : epochMs / 1000;
}
