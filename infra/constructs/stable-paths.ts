import { Construct } from 'constructs';
import type { QueueName } from '../../functions/resources.ts';

/**
 * CloudFormation identifies a resource by its path in the construct tree. These functions and queues keep the paths of
 * earlier deployments: under a new path, a function would conflict with its own name, and a queue would lose its
 * messages.
 */
const FUNCTIONS: Readonly<Record<string, string>> = {
  'ask-model': 'AiPlane/Ai',
  'capture-changes': 'CapturePlane/Worker',
  'deliver-webhook': 'WebhookPlane/Sender',
  'fan-out-events': 'WebhookPlane/FanOut',
  'pipeline-events': 'PipelinePlane/PipelineEvents',
  'run-job': 'JobPlane/Worker',
  'run-lifecycle': 'PipelinePlane/RunLifecycle',
  'run-step': 'PipelinePlane/RunStep',
  'schedule-tick': 'PipelinePlane/ScheduleTickFunction',
};

const QUEUES: Readonly<Record<QueueName, string>> = {
  work: 'PipelinePlane/Work',
  jobs: 'JobPlane/Jobs',
  captures: 'CapturePlane/Captures',
  deliveries: 'WebhookPlane/Deliveries',
  'slow-deliveries': 'WebhookPlane/SlowDeliveries',
  mails: 'Mails',
  reports: 'Metrics',
  targets: 'Targets',
};

const SCHEDULES: Readonly<Record<string, string>> = {
  'deliver-webhook': 'WebhookPlane/Sweep',
  'schedule-tick': 'PipelinePlane/Tick',
};

/** Renamed alarms would lose the notifications that operators have attached. */
const ERROR_ALARMS: Readonly<Record<string, string>> = {
  'deliver-webhook': 'SenderErrors',
  'fan-out-events': 'FanOutErrors',
  'schedule-tick': 'TickErrors',
};

export const OUTBOX = 'WebhookPlane/Outbox';
export const PIPELINES = 'PipelinePlane';

export const functionPath = (name: string, otherwise: string): string => FUNCTIONS[name] ?? otherwise;
export const queuePath = (name: QueueName): string => QUEUES[name];
export const schedulePath = (name: string): string => SCHEDULES[name] ?? `${pascalCase(name)}Schedule`;

export const errorAlarmId = (name: string): string => ERROR_ALARMS[name] ?? `${pascalCase(name)}Errors`;

/** The scope and id of a construct with this path below `root`. */
export function placed(root: Construct, path: string): [scope: Construct, id: string] {
  const parts = path.split('/');
  const id = parts.pop()!;
  return [parts.reduce<Construct>(scopeIn, root), id];
}

export function scopeIn(parent: Construct, id: string): Construct {
  return (parent.node.tryFindChild(id) as Construct | undefined) ?? new Construct(parent, id);
}

export function pascalCase(name: string): string {
  return name.replaceAll(/(^|-)([a-z])/g, (_all, _dash, letter: string) => letter.toUpperCase());
}
