import type { Static } from 'typebox';
import * as Type from 'typebox';
import { shownDefinition } from '../../../platform/http/managed-by.ts';
import { Id, Name, Nullable, Revision, StrictObject, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { Schedule } from '../../../platform/schedule/schedule.ts';
import { shownPermission } from '../../tenancy/grants/index.ts';
import { COMPUTE_SIZES, type ComputeSize, type Concurrency, Dag } from '../definition/index.ts';
import { RUN_STATUSES, RunTrigger } from './run-record.ts';

export const PIPELINE_STATUSES = ['active', 'paused'] as const;

export const Compute = StrictObject(
  { size: StringEnum(Object.keys(COMPUTE_SIZES) as ComputeSize[]) },
  { $id: 'Compute', description: 'How much memory the steps get. Without it, the size of their inputs decides.' },
);

export const FailureRecipients = Type.Array(Id, {
  maxItems: 50,
  uniqueItems: true,
  description:
    'The ids of members who get an email about each failed run, and an entry in their feed. If it is empty, the recipients of the workspace do.',
});

const LatestRun = Type.Object({
  id: Id,
  status: StringEnum(RUN_STATUSES),
  trigger: RunTrigger,
  startedAt: Nullable(Timestamp),
  finishedAt: Nullable(Timestamp),
});

export const Pipeline = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    name: Name,
    status: StringEnum(PIPELINE_STATUSES),
    dag: Dag,
    dagVersion: Type.Integer(),
    dagHash: Type.String(),
    schedule: Nullable(Type.Object({ ...Schedule.properties, nextRunAt: Nullable(Timestamp) })),
    concurrency: Type.Object({ maxConcurrentRuns: Type.Integer(), onOverlap: Type.String() }),
    compute: Nullable(Compute),
    failureRecipients: FailureRecipients,
    latestRun: Nullable(LatestRun),
    latestRuns: Type.Array(LatestRun, {
      description: 'The latest five runs without days of backfills, the newest or most recently retried one first.',
    }),
    activeRuns: Type.Integer(),
    queuedRuns: Type.Integer(),
    createdBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    ...shownPermission,
    revision: Revision,
    ...shownDefinition,
  },
  { $id: 'Pipeline', description: 'A pipeline with its definition and its latest run.' },
);
export type Pipeline = Static<typeof Pipeline>;

/** A pipeline as stored: its definition is a separate item under its hash (`dag-store.ts`). */
export interface StoredPipeline {
  id: string;
  workspaceId: string;
  name: string;
  status: (typeof PIPELINE_STATUSES)[number];
  dagVersion: number;
  dagHash: string;
  schedule: Schedule | null;
  concurrency: Required<Concurrency>;
  compute: Static<typeof Compute> | null;
  /** The users to notify of failed runs, and the address of the API for the links in their mails; none if absent. */
  failureMail?: { userIds: readonly string[]; apiUrl: string };
  /** The generation of the webhook token; the first if absent. */
  webhookToken?: { generation: number; createdAt: string };
  createdBy: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}
