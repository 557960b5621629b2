import * as Type from 'typebox';
import { GateResult } from '../../../shared/data/quality/gate-result.ts';
import { RunWithSteps } from '../../../shared/domains/pipelines/store/index.ts';
import { Id, Nullable, Timestamp } from '../../../shared/platform/http/schemas.ts';

export const RunParams = Type.Object({ runId: Type.String({ format: 'uuid', description: 'The id of the run.' }) });

export const RunEventStream = Type.Object(
  {
    snapshot: RunWithSteps,
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
      { description: 'How far a long step is; at most every two seconds.' },
    ),
    'gate.result': Type.Object(
      {
        stepId: Type.String(),
        item: Nullable(Type.Union([Type.String(), Type.Number()])),
        attempt: Type.Integer(),
        ...GateResult.properties,
      },
      { description: 'What a quality gate has found; before the end of its step.' },
    ),
    heartbeat: Type.Object({ at: Timestamp }),
    reconnect: Type.Object({}, { description: 'The connection ends; connect again.' }),
    end: Type.Object({ status: Type.String() }, { description: 'The last frame: the run is over.' }),
  },
  {
    $id: 'RunEventStream',
    description:
      'The data of each kind of frame, by the name of its event. `snapshot` comes first, unless the stream continues after `Last-Event-ID`.',
  },
);
