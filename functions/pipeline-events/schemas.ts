import Type from 'typebox';
import { GateResult } from '../../shared/data/quality/gate-result.ts';
import { Id, Nullable, Timestamp } from '../../shared/platform/http/schemas.ts';

export const RunParams = Type.Object({ runId: Id });

/** The frames of the event stream, by their event name. */
export const RunEventStream = Type.Object(
  {
    snapshot: Type.Object(
      {},
      { description: 'The run with its steps, as it is read; always first, unless `Last-Event-ID` is known.' },
    ),
    'run.status': Type.Object({ runId: Id, status: Type.String(), attempt: Type.Integer(), at: Timestamp }),
    'step.status': Type.Object({
      stepId: Type.String(),
      item: Nullable(Type.Union([Type.String(), Type.Number()])),
      attempt: Type.Integer(),
      status: Type.String(),
      skipReason: Nullable(Type.String()),
      error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
      nextRetryAt: Nullable(Timestamp),
    }),
    'step.progress': Type.Object(
      {
        stepId: Type.String(),
        item: Nullable(Type.Union([Type.String(), Type.Number()])),
        attempt: Type.Integer(),
        percent: Type.Integer({ minimum: 0, maximum: 100 }),
      },
      { description: 'Of a step that works for seconds, every two of them when there is something to tell.' },
    ),
    'gate.result': Type.Object(
      {
        stepId: Type.String(),
        item: Nullable(Type.Union([Type.String(), Type.Number()])),
        attempt: Type.Integer(),
        ...GateResult.properties,
      },
      { description: 'What a quality gate said; before the end of its step.' },
    ),
    heartbeat: Type.Object({ at: Timestamp }),
    reconnect: Type.Object({}, { description: 'The connection has lasted long enough; connect again.' }),
    end: Type.Object({ status: Type.String() }, { description: 'The last frame: the run is over.' }),
  },
  { $id: 'RunEventStream' },
);
