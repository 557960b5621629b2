import Type, { type Static } from 'typebox';
import { Id, Name, Nullable, Timestamp } from '../http/schemas.ts';

/**
 * Every event that the platform emits, with the shape of its `data`: thin – ids, names, status, a link; no rows. A sample
 * of each lies in `events/outbound/`.
 */
export const EVENTS = {
  'pipeline.run_failed': Type.Object(
    {
      workspaceId: Id,
      pipelineId: Id,
      pipelineName: Name,
      runId: Id,
      attempt: Type.Integer({ description: 'Counts the retries of the run: one event per time that it failed.' }),
      trigger: Type.Object({ kind: Type.String() }),
      error: Nullable(Type.Object({ code: Type.String(), message: Type.String(), stepId: Nullable(Type.String()) })),
      startedAt: Nullable(Timestamp),
      failedAt: Timestamp,
      url: Type.String({ description: 'Path of the run in the API.' }),
      sequence: Type.Integer({
        description: 'Grows with each event of the run; drop what is older than what you have.',
      }),
    },
    { $id: 'PipelineRunFailed' },
  ),
  'webhook.test': Type.Object({ workspaceId: Id, webhookId: Id, webhookName: Name }, { $id: 'WebhookTest' }),
} as const;

export type EventName = keyof typeof EVENTS;
export type EventData<N extends EventName> = Static<(typeof EVENTS)[N]>;
