import { pageOf } from '../../../core/paging.ts';
import type { CloudContext } from '../../../core/service.ts';
import type { ApiGatewayControl } from '../control.ts';
import { badRequest } from '../errors.ts';

/** Dependencies of the management API's operations. */
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
const MAX_PAGE_SIZE = 500;

/** One page of a list, in API Gateway's common form. Throws `BadRequestException`. */
export function pageReply<T extends object>(items: T[], keyOf: (item: T) => string, page: PageInput): object {
  const size = page.limit ?? PAGE_SIZE;
  if (!Number.isInteger(size) || size < 1 || size > MAX_PAGE_SIZE) {
    throw badRequest(`Invalid limit. Limit must be between 1 and ${MAX_PAGE_SIZE}`);
  }
  const { items: item, next } = pageOf(items, keyOf, { size, token: page.position });
  return { item, ...(next.NextToken !== undefined && { position: next.NextToken }) };
}

/** Epoch milliseconds in the wire format: seconds. */
export function wireTime(epochMs: number | undefined): number | undefined {
  return epochMs === undefined ? undefined : epochMs / 1000;
}
