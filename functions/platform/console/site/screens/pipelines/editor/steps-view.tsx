import { useRef, useState } from 'preact/hooks';
import { Button } from '../../../ui/button.tsx';
import { stepOf } from './draft.ts';
import type { Editing } from './editing.ts';
import { GraphPane } from './graph-pane.tsx';
import { kindOf } from './kinds.ts';
import { PipelineForm } from './pipeline-form.tsx';
import { Preview } from './preview.tsx';
import { StepForm } from './step-form.tsx';
import type { Validation } from './validation.ts';

interface StepsViewProps {
  editing: Editing;
  pipelineId: string | undefined;
  validation: Validation;
  chosen: string | undefined;
  address: (stepId: string | undefined) => string;
  select: (stepId: string | undefined) => void;
}

const PANES = { graph: 'Graph', form: 'Form', preview: 'Preview' } as const;
type Pane = keyof typeof PANES;

const CLOSED = 'closed-panes';

function closedPanes(): readonly Pane[] {
  try {
    return JSON.parse(localStorage.getItem(CLOSED) ?? '[]') as Pane[];
  } catch {
    return [];
  }
}

/** The graph, the settings of a step, and a preview of its rows; each can be closed. */
export function StepsView({ editing, pipelineId, validation, chosen, address, select }: StepsViewProps) {
  const { dag } = editing.content.value;
  const [closed, setClosed] = useState(closedPanes);
  const form = useRef<HTMLElement>(null);
  const key = useFormKey(chosen, editing.jumps.value);
  const step = stepOf(dag, chosen);
  const isOpen = (pane: Pane) => !closed.includes(pane);
  const set = (next: readonly Pane[]) => {
    setClosed(next);
    localStorage.setItem(CLOSED, JSON.stringify(next));
  };
  const openForm = () => {
    set(closed.filter((pane) => pane !== 'form'));
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus());
  };
  const issues = validation.issues.get(step?.id ?? '') ?? [];
  return (
    <div class="editor">
      {/* biome-ignore lint/a11y/useSemanticElements: these are no fields. */}
      <div class="pane-tools" role="group" aria-label="Panes">
        {(Object.keys(PANES) as Pane[]).map((pane) => (
          <Button
            key={pane}
            isSmall
            aria-pressed={isOpen(pane)}
            onClick={() => set(isOpen(pane) ? [...closed, pane] : closed.filter((each) => each !== pane))}
          >
            {PANES[pane]}
          </Button>
        ))}
        {step && (
          <Button isSmall look="plain" onClick={() => select(undefined)}>
            Parameters and blocks
          </Button>
        )}
      </div>
      <div class={`panes ${isOpen('form') && (isOpen('graph') || isOpen('preview')) ? 'two' : ''}`}>
        <div class="left-panes">
          {isOpen('graph') && (
            <GraphPane
              editing={editing}
              validation={validation}
              chosen={step?.id}
              address={address}
              select={select}
              openForm={openForm}
            />
          )}
          {isOpen('preview') && step && (
            <section class="surface preview-pane" aria-label="Preview">
              <Preview key={step.id} pipelineId={pipelineId} dag={dag} step={step} />
            </section>
          )}
        </div>
        {isOpen('form') && (
          <section
            class="surface form-pane"
            aria-label={step ? `Settings of ${step.id}` : 'Parameters and blocks'}
            ref={form}
          >
            <header>
              <h2>{step?.id ?? 'Parameters and blocks'}</h2>
              {step && <span class="hint">{kindText(kindOf(step))}</span>}
            </header>
            {step ? (
              <StepForm
                key={key.value}
                editing={editing}
                pipelineId={pipelineId}
                step={step}
                issues={issues}
                renamed={(id) => {
                  key.renamed(id);
                  select(id);
                }}
              />
            ) : (
              <PipelineForm key={key.value} editing={editing} issues={issues} />
            )}
          </section>
        )}
      </div>
    </div>
  );
}

function kindText(kind: ReturnType<typeof kindOf>): string {
  if (!kind) return 'of an unknown type';
  const { group, label } = kind;
  if (group === 'Change') return label;
  return `${group === 'Read' ? 'reads' : 'loads'} ${label.toLowerCase()}`;
}

/** Changes with what the form is about, but not when a step only gets another name: its fields keep the focus. */
function useFormKey(chosen: string | undefined, jumps: number) {
  const known = useRef({ id: chosen, count: 0 });
  if (known.current.id !== chosen) known.current = { id: chosen, count: known.current.count + 1 };
  return {
    value: `${known.current.count} ${jumps}`,
    renamed: (id: string) => {
      known.current.id = id;
    },
  };
}
