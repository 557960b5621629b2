import type { ProtectedDeps } from '../../../../shared/domains/boards/charts/index.ts';
import type {
  Announcement,
  Follows,
  MailBatches,
  MailTokens,
} from '../../../../shared/domains/delivery/notifications/index.ts';
import type { CommentStore } from '../../../../shared/domains/stories/comments/index.ts';
import type { GroupMemberships, GroupRepository } from '../../../../shared/domains/tenancy/groups/index.ts';
import type { Subjects } from '../../../../shared/domains/tenancy/subjects/index.ts';
import type {
  StoredMember,
  WorkspacePerson,
  WorkspaceRecord,
} from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';

export interface CommentDeps {
  table: Table;
  store: CommentStore;
  subjects: Subjects;
  follows: Follows;
  batches: MailBatches;
  tokens: MailTokens;
  charts: ProtectedDeps;
  workspace(id: string): Promise<WorkspaceRecord | undefined>;
  members(workspaceId: string): Promise<StoredMember[]>;
  people(workspaceId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, WorkspacePerson>>;
  groups: Pick<GroupRepository, 'getMany' | 'list'>;
  memberships: Pick<GroupMemberships, 'list' | 'count'>;
  /** Notifies people after the transaction with the announcement. */
  announceNow(announcement: Announcement): Promise<void>;
  now(): Date;
}
