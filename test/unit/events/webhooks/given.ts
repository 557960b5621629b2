import type { StoredWebhook } from '../../../../shared/domains/events/webhooks/records.ts';
import { webhookRepository } from '../../../../shared/domains/events/webhooks/repository.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';

export const EVENT = 'webhook.disabled';

/** A webhook of the workspace that subscribes to `EVENT`. */
export function givenWebhook(
  table: Table,
  { workspaceId, url, at }: { workspaceId: string; url: string; at: Date },
): Promise<StoredWebhook> {
  return webhookRepository(table).create({
    id: newId(),
    workspaceId,
    name: 'hook',
    url,
    kind: 'generic',
    events: [EVENT],
    headerNames: [],
    enabled: true,
    disabledReason: null,
    disabledAt: null,
    createdBy: newId(),
    createdAt: at.toISOString(),
    updatedAt: at.toISOString(),
    revision: 1,
  });
}
