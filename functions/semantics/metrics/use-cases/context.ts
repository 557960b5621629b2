import type {
  DeliveryRuns,
  ReportQueue,
  UnsubscribeTokens,
} from '../../../../shared/domains/delivery/deliveries/index.ts';
import type {
  DigestRecord,
  DigestRepository,
  StoredDigestMail,
  SweepStore,
} from '../../../../shared/domains/semantics/metric-reports/index.ts';
import type { MetricRepository } from '../../../../shared/domains/semantics/metrics/index.ts';
import type { QuestionDeps } from '../../../../shared/domains/semantics/questions/index.ts';
import type { Certifications } from '../../../../shared/domains/tenancy/certifications/index.ts';
import type { ObjectGrants, ObjectPermissions } from '../../../../shared/domains/tenancy/grants/index.ts';
import type { WorkspacePerson, WorkspaceRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { DeleteUnused } from '../../../../shared/domains/upkeep/referrers/index.ts';
import type { Cursors } from '../../../../shared/platform/http/cursor.ts';
import type { Ended } from '../../../../shared/platform/storage/clean-ups.ts';
import type { Table, TransactItem } from '../../../../shared/platform/storage/table.ts';

export interface MetricDeps extends QuestionDeps {
  table: Table;
  metrics: MetricRepository;
  certifications: Certifications;
  sweeps: SweepStore;
  grants: ObjectGrants;
  permissions: ObjectPermissions;
  cursors: Cursors;
  members(workspaceId: string, userIds: readonly string[]): Promise<Map<string, WorkspacePerson>>;
  deleteUnused: DeleteUnused;
  cleanUpItem(ended: Ended): TransactItem;
  cleanUpNow(ended: Ended): Promise<void>;
}

export interface DigestDeps extends Pick<MetricDeps, 'metrics' | 'members' | 'cleanUpItem' | 'now'> {
  digests: DigestRepository;
  runs: DeliveryRuns<StoredDigestMail>;
  /** Whether the deployment sends mail. */
  sendsMail: boolean;
  queue: ReportQueue;
  unsubscribe: UnsubscribeTokens;
  workspace(id: string): Promise<WorkspaceRecord | undefined>;
  /** The entry of the audit log for a digest that is sent by hand. */
  logSending(digest: DigestRecord): Promise<TransactItem[]>;
}

export interface Named {
  workspaceId: string;
  id: string;
}
