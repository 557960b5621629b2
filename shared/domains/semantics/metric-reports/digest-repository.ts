import type { AuditActor } from '../../../platform/audit/act.ts';
import { auditItems } from '../../../platform/audit/entry.ts';
import { auditedRecords } from '../../../platform/audit/records.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { withReferences } from '../../../platform/storage/references.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { useItems } from '../../../platform/storage/uses.ts';
import {
  deliveryPartition,
  nextDeliveryAt,
  type RegisteredDelivery,
  showRecipient,
} from '../../delivery/deliveries/index.ts';
import { DIGESTS, type DigestRecord, usesOfDigest } from './digest-records.ts';

export interface DigestRepository extends Pick<Collection<DigestRecord>, 'key' | 'get' | 'list'> {
  /** Throws `METRIC_DIGEST_NAME_TAKEN`, or `STALE_WRITE` if a metric was deleted in between. */
  create(digest: DigestRecord): Promise<DigestRecord>;
  /** Throws the same code, or `STALE_WRITE`. */
  replace(previous: DigestRecord, next: DigestRecord): Promise<DigestRecord>;
  /** The same for a recipient who leaves without being signed in. */
  unsubscribe(
    previous: DigestRecord,
    next: DigestRecord,
    by: { actor: AuditActor; companyId: string },
  ): Promise<DigestRecord>;
  remove(digest: DigestRecord, also: TransactItem[]): Promise<void>;
}

/** Digests; the minute tick finds each at its next instant. */
export function digestRepository(table: Table): DigestRepository {
  const options = {
    entity: 'metric-digest',
    versioned: true,
    unique: { of: ({ name }: DigestRecord) => name, taken: 'METRIC_DIGEST_NAME_TAKEN' },
    attributes: (digest: DigestRecord) => {
      const next = nextDeliveryAt(digest, table.now());
      return next ? { due: deliveryPartition(DIGESTS, digest.id), dueAt: next.toISOString() } : {};
    },
  } as const;
  const unlogged = collection<DigestRecord>(table, options);
  const digests = collection<DigestRecord>(table, {
    ...options,
    logs: auditedRecords<DigestRecord>(table, {
      subject: 'metric_digest',
      name: ({ name }) => name,
      members: {
        name: 'shown',
        metricIds: 'shown',
        cron: 'shown',
        timezone: 'shown',
        isActive: 'shown',
        owner: ({ userId }) => ({ userId }),
        recipients: (recipients) => recipients.map(showRecipient),
      },
    }),
  });
  return {
    key: digests.key,
    get: digests.get,
    list: digests.list,
    create: async (digest) =>
      withReferences(await usesOf(table, null, digest), (items) => digests.create(digest, items), stale),
    replace: async (previous, next) =>
      withReferences(
        await usesOf(table, previous, next),
        (items) => digests.replace(previous, next, 'STALE_WRITE', items),
        stale,
      ),
    async unsubscribe(previous, next, { actor, companyId }) {
      const { workspaceId, id, name } = previous;
      const logged = await auditItems(table, {
        action: 'metric_digest.unsubscribed',
        object: { type: 'metric-digest', id, name },
        actor,
        place: { companyId, workspaceId },
      });
      return unlogged.replace(previous, next, 'STALE_WRITE', logged);
    },
    remove: (digest, also) => digests.remove(digest, 'STALE_WRITE', also),
  };
}

/** Digests as the workers deliver them. */
export const digestDelivery: RegisteredDelivery<DigestRecord> = { kind: DIGESTS, deliveries: digestRepository };

const stale = (cause: unknown) => new AppError('STALE_WRITE', { cause });

function usesOf(table: Table, previous: DigestRecord | null, next: DigestRecord): Promise<TransactItem[]> {
  const { workspaceId, id } = next;
  const before = previous ? usesOfDigest(previous) : [];
  return useItems(table, { workspaceId, type: 'metric-digest', id }, { before, after: usesOfDigest(next) });
}
