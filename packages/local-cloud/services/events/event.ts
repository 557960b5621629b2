import { randomUUID } from 'node:crypto';
import { toTheSecond } from '../../core/clock.ts';
import type { CloudEvent } from '../../core/ports.ts';
import type { CloudContext } from '../../core/service.ts';

/** An event as patterns and targets see it. */
export interface EventDocument {
  version: '0';
  id: string;
  'detail-type': string;
  source: string;
  account: string;
  /** To the second, such as `2026-01-01T00:00:00Z`. */
  time: string;
  region: string;
  resources: string[];
  detail: unknown;
}

export function eventDocument(context: CloudContext, event: CloudEvent): EventDocument {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': event.detailType,
    source: event.source,
    account: context.accountId,
    time: toTheSecond(event.time?.getTime() ?? context.clock.now()),
    region: context.region,
    resources: event.resources ?? [],
    detail: event.detail,
  };
}
