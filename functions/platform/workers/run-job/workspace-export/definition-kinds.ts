import type { AlertRecord } from '../../../../../shared/domains/alerts/rules/index.ts';
import type { DeliveryTarget, ScheduleRecord } from '../../../../../shared/domains/boards/delivery-schedules/index.ts';
import type { ThemeRecord } from '../../../../../shared/domains/boards/themes/index.ts';
import type { TermRecord } from '../../../../../shared/domains/catalog/terms/index.ts';
import { showRecipient } from '../../../../../shared/domains/delivery/deliveries/index.ts';
import type { StoredWebhook } from '../../../../../shared/domains/events/webhooks/index.ts';
import type { InvitationRecord } from '../../../../../shared/domains/identity/invitations/index.ts';
import type { StoredStream } from '../../../../../shared/domains/pipelines/cdc/index.ts';
import { type StoredTest, showTest } from '../../../../../shared/domains/quality/index.ts';
import type { BlendRecord } from '../../../../../shared/domains/semantics/blends/index.ts';
import type { DigestRecord } from '../../../../../shared/domains/semantics/metric-reports/index.ts';
import type { MetricRecord } from '../../../../../shared/domains/semantics/metrics/index.ts';
import type { SavedQuery } from '../../../../../shared/domains/semantics/saved-queries/index.ts';
import type { EmbedDomain, ShareRecord } from '../../../../../shared/domains/sharing/shares/index.ts';
import type { ServiceAccount } from '../../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Dataset } from '../../../../../shared/domains/warehouse/datasets/index.ts';
import type { StoredSecret } from '../../../../../shared/domains/warehouse/secrets/index.ts';
import type { StoredDataSource } from '../../../../../shared/domains/warehouse/sources/index.ts';

/** Records of one kind that are exported as they are stored. */
export interface RecordKind {
  /** The name of the collection in keys. */
  entity: string;
  shown(stored: never): object;
}

/** Only these members are exported: those that later versions add may be secrets. */
export function picked<T extends object>(record: T, members: readonly (keyof T)[]): object {
  return Object.fromEntries(
    members.flatMap((member) => (record[member] === undefined ? [] : [[member, record[member]]])),
  );
}

const kind = <T extends object>(entity: string, members: readonly (keyof T)[]): RecordKind => ({
  entity,
  shown: (stored: T) => picked(stored, members),
});

const STAMPS = ['createdBy', 'createdAt', 'updatedAt', 'revision'] as const;
const CHANGES = ['createdBy', 'updatedBy', 'createdAt', 'updatedAt', 'revision'] as const;

/** A delivery with the people whom it is sent to. */
export const showDelivery = <T extends DigestRecord | ScheduleRecord>(
  delivery: T,
  members: readonly (keyof T)[],
): object => ({
  ...picked<DigestRecord | ScheduleRecord>(delivery, ['cron', 'timezone', 'isActive', ...CHANGES]),
  ...picked(delivery, members),
  ownerId: delivery.owner.userId,
  recipients: delivery.recipients.map(showRecipient),
  ...(delivery.targets && {
    targets: (delivery.targets as readonly DeliveryTarget[]).map((target) =>
      picked(target, ['id', 'type', 'name', 'origin', 'headerNames']),
    ),
  }),
});

/** By the name of the file in the archive. */
export const RECORD_KINDS: Readonly<Record<string, RecordKind>> = {
  'data-sources': kind<StoredDataSource>('data-source', ['id', 'name', 'type', 'config', 'schedule', ...STAMPS]),
  datasets: kind<Dataset>('dataset', [
    ...(['id', 'name', 'version', 'columns', 'rowCount', 'sizeBytes', 'loadedAt', 'source', 'mode'] as const),
    ...(['incremental', 'schedule', 'partitionBy', 'retention', ...STAMPS] as const),
  ]),
  'cdc-streams': {
    entity: 'cdc-stream',
    shown: ({ tables, ...stream }: StoredStream) => ({
      ...picked<Omit<StoredStream, 'tables'>>(stream, ['id', 'sourceId', 'streamId', 'enabled', 'capture']),
      tables: tables.map(({ name }) => name),
      ...picked<Omit<StoredStream, 'tables'>>(stream, ['walLimitBytes', 'onWalLimit', 'createdBy', 'createdAt']),
    }),
  },
  'saved-queries': kind<SavedQuery>('saved-query', [
    ...(['id', 'name', 'description', 'folder', 'sql', 'sourceId', 'datasetIds', 'params', 'version'] as const),
    ...CHANGES,
  ]),
  'quality-tests': { entity: 'quality-test', shown: (test: StoredTest) => showTest(test) },
  metrics: kind<MetricRecord>('metric', [
    ...(['id', 'name', 'description', 'modelId', 'measureId', 'fieldId', 'aggregation', 'timeFieldId'] as const),
    ...(['grain', 'timezone', 'filters', 'direction', 'target', 'format', 'anomalyChecks', 'ownerId'] as const),
    ...CHANGES,
  ]),
  blends: kind<BlendRecord>('blend', [
    ...(['id', 'name', 'description', 'leftModelId', 'leftTableId', 'leftAlias', 'rightModelId'] as const),
    ...(['rightTableId', 'rightAlias', 'keys', ...CHANGES] as const),
  ]),
  'metric-digests': {
    entity: 'metric-digest',
    shown: (digest: DigestRecord) => showDelivery(digest, ['id', 'name', 'metricIds']),
  },
  alerts: {
    entity: 'alert',
    shown: ({ owner, ...alert }: AlertRecord) => ({
      ...picked(alert, ['id', 'name', 'description', 'condition', 'channels', 'isActive', 'scheduleCron', 'timezone']),
      ...picked(alert, ['onRefresh', 'repeat', 'notifyOnRecover', 'severity', 'snoozedUntil', ...CHANGES]),
      ownerId: owner.userId,
    }),
  },
  terms: kind<TermRecord>('term', [
    ...(['id', 'name', 'definition', 'abbreviation', 'synonyms', 'hiddenSynonyms', 'examples', 'tags'] as const),
    ...(['exactMatch', 'ownerIds', 'reviewerIds', 'status', ...CHANGES] as const),
  ]),
  themes: kind<ThemeRecord>('theme', ['id', 'name', 'tokens', ...CHANGES]),
  shares: kind<ShareRecord>('share', [
    ...(['id', 'contentType', 'contentId', 'shareType', 'rlsContext', 'validUntil', 'allowAi'] as const),
    ...(['aiRatePerHour', ...CHANGES] as const),
  ]),
  'embed-domains': kind<EmbedDomain>('embed-domain', ['id', 'origin', 'createdBy', 'createdAt', 'updatedAt']),
  webhooks: {
    entity: 'webhook',
    // The path of the URL may be a credential.
    shown: (webhook: StoredWebhook) => ({
      ...picked(webhook, ['id', 'name', 'kind', 'events', 'headerNames', 'enabled', ...STAMPS]),
      origin: new URL(webhook.url).origin,
    }),
  },
  secrets: {
    entity: 'secret',
    shown: ({ id: name, ...secret }: StoredSecret) => ({
      name,
      ...picked<Omit<StoredSecret, 'id'>>(secret, ['description', ...CHANGES]),
    }),
  },
  invitations: kind<InvitationRecord>('invitation', [
    ...(['id', 'email', 'role', 'groupIds', 'invitedBy', 'validUntil', 'sentAt', 'createdAt'] as const),
  ]),
  'service-accounts': kind<ServiceAccount>('service-account', [
    ...(['id', 'name', 'description', 'role', 'attributes', ...STAMPS] as const),
  ]),
};
