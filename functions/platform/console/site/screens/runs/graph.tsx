import { countOf } from '../../ui/format.ts';
import { Graph, type GraphNode } from '../../ui/graph.tsx';
import { jobStatus } from '../../ui/job-status.ts';
import { Status } from '../../ui/status.tsx';
import { keyOf, type StepRun } from './live-run.ts';
import { countsOf, firstToShow, type StepGroup } from './step-groups.ts';
import { timeOf } from './words.ts';

interface GraphProps {
  groups: readonly StepGroup[];
  progress: ReadonlyMap<string, number>;
  shown: StepRun | undefined;
  address: (step: StepRun) => string;
  select: (step: StepRun | undefined) => unknown;
}

/** The steps and what each waits for. */
export function StepGraph({ groups, progress, shown, address, select }: GraphProps) {
  const nodeOf = (group: StepGroup): GraphNode => {
    const percent = group.runs.length === 1 ? progress.get(keyOf(group.runs[0]!)) : undefined;
    return {
      id: group.stepId,
      title: group.stepId,
      href: address(firstToShow(group.runs)!),
      look: jobStatus(group.status),
      content: (
        <>
          <span class="node-name">{group.stepId}</span>
          <Status kind={jobStatus(group.status)} label={labelOf(group, percent)} />
        </>
      ),
    };
  };
  return (
    <Graph
      nodes={groups.map(nodeOf)}
      edges={groups.flatMap(({ stepId, dependsOn }) => dependsOn.map((id) => ({ from: id, to: stepId })))}
      currentId={shown?.stepId}
      onMove={(id) => select(firstToShow(groups.find(({ stepId }) => stepId === id)!.runs))}
    />
  );
}

function labelOf(group: StepGroup, percent: number | undefined): string {
  const counts = countsOf(group);
  if (counts) {
    const { done, failed, all } = counts;
    return `${countOf(done)} of ${countOf(all)}${failed > 0 ? `, ${countOf(failed)} failed` : ''}`;
  }
  if (group.status === 'running' && percent !== undefined) return `${percent}%`;
  return (group.status === 'succeeded' && timeOf(group.runs[0]!)) || group.status;
}
