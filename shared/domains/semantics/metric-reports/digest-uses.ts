import type { ReferrerKind } from '../../../platform/storage/referrers.ts';
import { usesOfDigest } from './digest-records.ts';
import { digestRepository } from './digest-repository.ts';

/** Digests use the metrics that they send. */
export const DIGEST_USES: ReferrerKind = {
  type: 'metric-digest',

  async read(table, workspaceId, id) {
    const digests = digestRepository(table);
    const digest = await digests.get(workspaceId, id);
    if (!digest) return undefined;
    const unchanged = {
      ConditionCheck: {
        TableName: table.name,
        Key: digests.key(workspaceId, id),
        ConditionExpression: 'revision = :seen',
        ExpressionAttributeValues: { ':seen': digest.revision },
      },
    };
    return { name: digest.name, uses: usesOfDigest(digest), unchanged: [unchanged] };
  },
};
