import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { api, type Types } from '../../data/client.ts';
import type { Pipeline, Step } from '../../data/pipelines.ts';
import { useQuery } from '../../data/query.ts';
import { to } from '../../ui/address.ts';
import { counted } from '../../ui/format.ts';
import { Graph } from '../../ui/graph.tsx';
import { edgesOf, nodeOf } from './nodes.tsx';
import { StepSettings } from './step-settings.tsx';
import { stepInWords } from './step-words.ts';

interface StepsProps {
  pipeline: Pipeline;
  /** The id of the step that is shown. */
  chosen: string | undefined;
}

/** The graph of a pipeline, and the settings of one of its steps. */
export function Steps({ pipeline: { id, dag, dagHash }, chosen }: StepsProps) {
  const { route } = useLocation();
  const step = dag.steps.find((each) => each.id === chosen) ?? dag.steps[0]!;
  const address = (stepId: string) => to(`/pipelines/${id}`, { step: stepId });
  const edges = useMemo(() => edgesOf(dag.steps), [dag]);
  const lineage = useQuery(['pipelines', id, 'lineage', dagHash], () => api.pipelines.getLineage(id)).data;
  return (
    <div class="graph-parts">
      <section class="surface" aria-label="Steps of the pipeline">
        <Graph
          nodes={dag.steps.map((each) => ({ ...nodeOf(each), href: address(each.id) }))}
          edges={edges}
          currentId={step.id}
          onMove={(next) => route(address(next), true)}
        />
      </section>
      <StepSummary step={step} columns={columnsOf(lineage, step.id)} />
    </div>
  );
}

const columnsOf = (lineage: Types.Lineage | undefined, stepId: string) =>
  lineage?.nodes.find(({ id, kind, name }) => kind === 'step' && (name === stepId || id === stepId))?.columns ??
  undefined;

interface StepSummaryProps {
  step: Step;
  columns: readonly { name: string; type: string }[] | undefined;
}

function StepSummary({ step, columns }: StepSummaryProps) {
  const { id, dependsOn = [], when, config } = step;
  return (
    <section class="surface step-summary" aria-label={`Step ${id}`}>
      <header>
        <h2>{id}</h2>
        <span class="hint">{stepInWords(step)}</span>
      </header>
      {dependsOn.length > 0 && <p class="hint">After {dependsOn.join(', ')}.</p>}
      {when && (
        <p class="hint">
          Only if the parameter <code>{when.param}</code> {conditionText(when)}.
        </p>
      )}
      <StepSettings values={config as Record<string, unknown>} />
      {columns && columns.length > 0 && (
        <details>
          <summary>{counted(columns.length, 'column')}</summary>
          <ul class="columns">
            {columns.map((column) => (
              <li key={column.name}>
                {column.name} <span class="hint">{column.type}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

const OPERATORS: Readonly<Record<string, string>> = {
  eq: 'is',
  ne: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  truthy: 'is true',
  falsy: 'is false',
};

const conditionText = ({ op, value }: NonNullable<Step['when']>): string =>
  `${OPERATORS[op] ?? op}${value === undefined ? '' : ` ${[value].flat().join(', ')}`}`;
