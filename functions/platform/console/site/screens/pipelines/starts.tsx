import type { Pipeline } from '../../data/pipelines.ts';
import { Section } from '../../ui/page.tsx';
import { scheduleInWords } from '../../ui/schedule.ts';
import { ScheduleForm } from './schedule-form.tsx';
import { StartHistory } from './start-history.tsx';
import { TriggerForm } from './trigger-form.tsx';

/** When the pipeline starts by itself, and what became of it. */
export function Starts({ pipeline }: { pipeline: Pipeline }) {
  const { permission, schedule } = pipeline;
  const canEdit = permission === 'editor';
  return (
    <>
      <Section title="Schedule">
        {canEdit ? <ScheduleForm pipeline={pipeline} /> : <p>{scheduleInWords(schedule)}</p>}
      </Section>
      {canEdit && (
        <Section title="Other starts">
          <TriggerForm pipeline={pipeline} />
        </Section>
      )}
      <Section title="Automatic starts of the last 90 days">
        <StartHistory pipelineId={pipeline.id} />
      </Section>
    </>
  );
}
