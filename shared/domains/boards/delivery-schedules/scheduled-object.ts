import { auditItems } from '../../../platform/audit/entry.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import type { MasterSecret } from '../../../platform/crypto/master-secret.ts';
import { type SecretBox, secretBox } from '../../../platform/crypto/secret-box.ts';
import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import type { AddressGuard } from '../../../platform/net/address-guard.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import {
  type DeliveryRuns,
  deliveryRuns,
  type ReportQueue,
  type UnsubscribeTokens,
  unsubscribeTokens,
} from '../../delivery/deliveries/index.ts';
import {
  listMembers,
  readPeople,
  readWorkspace,
  type StoredMember,
  type WorkspacePerson,
  type WorkspaceRecord,
} from '../../tenancy/workspaces/index.ts';
import { type ChartSpec, type ProtectedDeps, protectedReads } from '../charts/index.ts';
import type { ScheduleKind } from './kinds.ts';
import type { ScheduleRecord, StopReason, StoredScheduleMail } from './records.ts';
import { type ScheduleRepository, scheduleRepository } from './repository.ts';

export type ChartSource = ChartSpec['query']['source'];

/** A dashboard, report or story as its editor names it. */
export interface ObjectNamed {
  principal: Principal;
  id: string;
}

export type ScheduleNamed = ObjectNamed & { scheduleId: string };

interface NamedSource {
  name: string;
  source: ChartSource;
}

/** A dashboard, report or story as its schedules need it. */
export interface ScheduledObject<S extends ScheduleRecord> {
  /** What is wrong with what the schedule refers to. `before` is the schedule that is changed. */
  issues(schedule: S, before: S | undefined): readonly Issue[];
  /** Why the schedule can send nothing, apart from its people. */
  stopReason(schedule: S): StopReason | null;
  /** What the schedule reads, with the names by which readers know it. */
  sources(schedule: S): NamedSource[] | Promise<NamedSource[]>;
  /** Fails if it was deleted in the meantime. */
  presentItem: TransactItem;
}

export interface ScheduleDeps<S extends ScheduleRecord> {
  kind: ScheduleKind<S>;
  /** For a caller with the right to change it, which the route has checked. Throws the not-found error of the kind. */
  object(named: ObjectNamed): Promise<ScheduledObject<S>>;
  schedules: ScheduleRepository<S>;
  runs: DeliveryRuns<StoredScheduleMail>;
  /** All members of the workspace, to find them by address. */
  members(workspaceId: string): Promise<StoredMember[]>;
  membersOf(workspaceId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, WorkspacePerson>>;
  workspace(id: string): Promise<WorkspaceRecord | undefined>;
  /** The tables that charts of the source read and that row-level security or sensitivity labels restrict. */
  protectedReads(workspaceId: string, source: ChartSource): Promise<string[]>;
  /** Whether the deployment sends mail. */
  sendsMail: boolean;
  queue: ReportQueue;
  /** Seals the addresses and credentials of targets. */
  secrets: SecretBox;
  /** Checks the addresses of targets. */
  guard: AddressGuard;
  unsubscribe: UnsubscribeTokens;
  /** The entry of the audit log for a schedule that is sent by hand. */
  logSending(schedule: S): Promise<TransactItem[]>;
  /** Removes the runs of a schedule that is deleted. */
  cleanUpItem(schedule: S): TransactItem;
  now(): Date;
}

type Given<S extends ScheduleRecord> = Pick<
  ScheduleDeps<S>,
  'kind' | 'object' | 'queue' | 'guard' | 'sendsMail' | 'cleanUpItem' | 'now'
> & { table: Table; master: MasterSecret; charts: ProtectedDeps };

/** The dependencies of the operations of a group. */
export function openSchedules<S extends ScheduleRecord>({
  table,
  master,
  charts,
  ...given
}: Given<S>): ScheduleDeps<S> {
  const { kind } = given;
  return {
    ...given,
    schedules: scheduleRepository(table, kind),
    runs: deliveryRuns(table, kind),
    members: (workspaceId) => listMembers(table, workspaceId),
    membersOf: (workspaceId, userIds) => readPeople(table, workspaceId, userIds),
    workspace: (id) => readWorkspace(table, id),
    protectedReads: (workspaceId, source) => protectedReads(charts, workspaceId, source),
    secrets: secretBox(master),
    unsubscribe: unsubscribeTokens(master, kind),
    logSending: ({ id, name }) =>
      auditItems(table, { action: `${kind.subject}.sent`, object: { type: kind.entity, id, name } }),
  };
}

export interface Found<S extends ScheduleRecord> {
  object: ScheduledObject<S>;
  schedule: S;
}

/** Throws the not-found errors of the kind. */
export async function findSchedule<S extends ScheduleRecord>(
  deps: Pick<ScheduleDeps<S>, 'kind' | 'object' | 'schedules'>,
  { scheduleId, ...named }: ScheduleNamed,
): Promise<Found<S>> {
  const { kind, schedules } = deps;
  const [object, schedule] = await Promise.all([
    deps.object(named),
    schedules.get(named.principal.workspaceId, scheduleId),
  ]);
  if (!schedule || kind.objectOf(schedule) !== named.id) throw new AppError(kind.codes.notFound);
  return { object, schedule };
}
