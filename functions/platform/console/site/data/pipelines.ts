import { api, type Types } from './client.ts';
import { useQuery } from './query.ts';

export type Pipeline = Types.Pipeline;
export type Dag = Types.Dag;
export type Step = Types.Step;
export type Trigger = NonNullable<Dag['trigger']>;
export type Parameter = Types.Parameter;

const TRIGGERS: Readonly<Record<string, string>> = {
  manual: 'a person',
  backfill: 'a backfill',
  schedule: 'a schedule',
  file_arrival: 'arriving files',
  pipeline: 'another pipeline',
  webhook: 'a call of its URL',
};

export const TRIGGER_KINDS = Object.keys(TRIGGERS);

/** What has started a run. */
export const triggerText = (kind: string): string => TRIGGERS[kind] ?? kind;

export const PIPELINES_EVERY_MS = 15_000;

export const usePipeline = (id: string, enabled = true) =>
  useQuery(['pipelines', id], () => api.pipelines.get(id), { everyMs: PIPELINES_EVERY_MS, enabled });

/** The parameters that a run cannot start without. */
export const requiredParameters = ({ parameters = [] }: Pick<Dag, 'parameters'>): readonly Parameter[] =>
  parameters.filter((parameter) => parameter.required === true && parameter.default === undefined);

/** What starts the pipeline besides its schedule and people. */
export function triggerInWords(trigger: Trigger | undefined, nameOf: (pipelineId: string) => string): string {
  switch (trigger?.kind) {
    case 'file_arrival':
      return `when files arrive at ${trigger.path}`;
    case 'pipeline':
      return `after ${trigger.on === 'completion' ? 'each run' : 'each success'} of ${nameOf(trigger.pipelineId)}`;
    case 'webhook':
      return 'when its URL is called';
    default:
      return '';
  }
}
