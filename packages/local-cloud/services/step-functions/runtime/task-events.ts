import type { Outcome, TaskPhase } from '../frame.ts';
import type { TaskState } from '../language/program.ts';

type Event = readonly [type: string, details: Record<string, unknown>];

const complete = { truncated: false };

/** The events of a scheduled task: `Task…` for integrations, `LambdaFunction…` for plain function ARNs. */
export function scheduledEvents(state: TaskState, phase: TaskPhase, region: string, timeoutSeconds?: number): Event[] {
  const { resource } = state;
  const parameters = JSON.stringify(phase.arguments);
  const timeout = timeoutSeconds !== undefined && { timeoutInSeconds: timeoutSeconds };
  if (resource.kind === 'lambda:function') {
    const details = { resource: resource.functionArn, input: parameters, inputDetails: complete, ...timeout };
    return [
      ['LambdaFunctionScheduled', { lambdaFunctionScheduledEventDetails: details }],
      ['LambdaFunctionStarted', {}],
    ];
  }
  const heartbeat = phase.heartbeatSeconds !== undefined && { heartbeatInSeconds: phase.heartbeatSeconds };
  return [
    ['TaskScheduled', { taskScheduledEventDetails: { ...names(state), region, parameters, ...timeout, ...heartbeat } }],
    ['TaskStarted', { taskStartedEventDetails: names(state) }],
  ];
}

/** The callee has accepted a request that its token will answer later. */
export function submittedEvent(state: TaskState, reply: unknown): Event {
  const details = { ...names(state), output: JSON.stringify(reply), outputDetails: complete };
  return ['TaskSubmitted', { taskSubmittedEventDetails: details }];
}

export function settledEvent(state: TaskState, outcome: Outcome): Event {
  const plain = state.resource.kind === 'lambda:function';
  const [type, member] = plain ? ['LambdaFunction', 'lambdaFunction'] : ['Task', 'task'];
  const common = plain ? {} : names(state);
  if ('result' in outcome) {
    const details = { ...common, output: JSON.stringify(outcome.result), outputDetails: complete };
    return [`${type}Succeeded`, { [`${member}SucceededEventDetails`]: details }];
  }
  const details = { ...common, error: outcome.error, ...(outcome.cause !== undefined && { cause: outcome.cause }) };
  const timedOut = outcome.error === 'States.Timeout' || outcome.error === 'States.HeartbeatTimeout';
  const ending = timedOut ? 'TimedOut' : 'Failed';
  return [`${type}${ending}`, { [`${member}${ending}EventDetails`]: details }];
}

function names(state: TaskState): { resourceType: string; resource: string } {
  return { resourceType: state.resource.resourceType, resource: state.resource.resource };
}
