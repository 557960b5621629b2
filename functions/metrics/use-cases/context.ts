import type { Ended } from '../../../shared/domains/access-clean-up/index.ts';
import type { ObjectGrants } from '../../../shared/domains/grants/index.ts';
import type { MetricRepository } from '../../../shared/domains/metrics/index.ts';
import type { QuestionDeps } from '../../../shared/domains/questions/index.ts';
import type { StoredMember } from '../../../shared/domains/workspaces/index.ts';
import type { Cursors } from '../../../shared/platform/http/cursor.ts';
import type { TransactItem } from '../../../shared/platform/storage/table.ts';

export interface MetricDeps extends QuestionDeps {
  metrics: MetricRepository;
  grants: ObjectGrants;
  cursors: Cursors;
  members(workspaceId: string, userIds: readonly string[]): Promise<Map<string, StoredMember>>;
  cleanUpItem(ended: Ended): TransactItem;
  cleanUpNow(ended: Ended): Promise<void>;
}

export interface Named {
  workspaceId: string;
  id: string;
}
