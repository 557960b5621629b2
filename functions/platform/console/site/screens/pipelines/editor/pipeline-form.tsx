import { stepSchemas } from '../../../data/step-schemas.ts';
import { type Issues, SchemaForm } from '../../../ui/schema-form.tsx';
import type { Editing } from './editing.ts';
import type { StepIssue } from './issues.ts';
import { pickerOf } from './pickers.tsx';
import { IssueList } from './step-form.tsx';

interface PipelineFormProps {
  editing: Editing;
  issues: readonly StepIssue[];
}

/** What belongs to no step: parameters of the runs, and blocks that run for each item of a list. */
export function PipelineForm({ editing, issues }: PipelineFormProps) {
  const { name, dag } = editing.content.value;
  return (
    <div class="form">
      <IssueList issues={issues} />
      <SchemaForm
        schema={{
          properties: {
            parameters: {
              type: 'array',
              title: 'Parameters',
              description: 'Values that a run is started with; steps read them as {{ params.name }}.',
              items: stepSchemas.Parameter!,
              maxItems: 50,
            },
            forEach: {
              type: 'array',
              title: 'Blocks',
              description: 'Steps that a run executes once for each item of a list.',
              items: stepSchemas.ForEach!,
              maxItems: 10,
            },
          },
          required: ['parameters', 'forEach'],
        }}
        value={{ parameters: dag.parameters ?? [], forEach: dag.forEach ?? [] }}
        issues={issues as Issues}
        special={pickerOf({ step: { id: '', type: '', config: {} }, columns: [] })}
        onChange={({ parameters, forEach }) => {
          const { parameters: _parameters, forEach: _forEach, ...rest } = dag;
          editing.change({
            name,
            dag: {
              ...rest,
              ...(isFilled(parameters) && { parameters }),
              ...(isFilled(forEach) && { forEach: forEach as never }),
            },
          });
        }}
      />
    </div>
  );
}

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
