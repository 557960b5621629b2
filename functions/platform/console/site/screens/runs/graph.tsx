import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { countOf } from '../../ui/format.ts';
import { Loading } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { kindOf } from './kinds.ts';
import type { placed } from './layout.ts';
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

/** The steps and what each waits for. Arrows move along the edges. */
export function Graph({ groups, progress, shown, address, select }: GraphProps) {
  const places = usePlaces(groups);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [places, shown?.stepId]);
  if (!places) return <Loading rows={3} />;
  const onKeyDown = (event: KeyboardEvent) => {
    const from = (event.target as HTMLElement).dataset.step;
    const next = from === undefined ? undefined : neighbour(groups, places.nodes, from, event.key);
    if (!next) return;
    event.preventDefault();
    box.current!.querySelector<HTMLElement>(`[data-step="${CSS.escape(next.stepId)}"]`)!.focus();
    select(firstToShow(next.runs));
  };
  return (
    <div class="graph" ref={box}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links in it have the focus. */}
      <div style={{ width: `${places.width}px`, height: `${places.height}px` }} onKeyDown={onKeyDown}>
        <svg width={places.width} height={places.height} aria-hidden="true">
          {places.edges.map(({ from, to, points }) => (
            <path key={`${from} ${to}`} d={pathOf(points)} />
          ))}
        </svg>
        {groups.map((group) => (
          <Node
            key={group.stepId}
            group={group}
            at={places.nodes.get(group.stepId)!}
            percent={group.runs.length === 1 ? progress.get(keyOf(group.runs[0]!)) : undefined}
            isShown={group.stepId === shown?.stepId}
            href={address(firstToShow(group.runs)!)}
          />
        ))}
      </div>
    </div>
  );
}

interface NodeProps {
  group: StepGroup;
  at: { x: number; y: number };
  percent: number | undefined;
  isShown: boolean;
  href: string;
}

const Node = ({ group, at, percent, isShown, href }: NodeProps) => (
  <a
    class={`node ${kindOf(group.status)}`}
    href={href}
    data-step={group.stepId}
    aria-current={isShown || undefined}
    style={{ left: `${at.x}px`, top: `${at.y}px` }}
    title={group.stepId}
  >
    <span class="node-name">{group.stepId}</span>
    <Status kind={kindOf(group.status)} label={labelOf(group, percent)} />
  </a>
);

function labelOf(group: StepGroup, percent: number | undefined): string {
  const counts = countsOf(group);
  if (counts) {
    const { done, failed, all } = counts;
    return `${countOf(done)} of ${countOf(all)}${failed > 0 ? `, ${countOf(failed)} failed` : ''}`;
  }
  if (group.status === 'running' && percent !== undefined) return `${percent} %`;
  return (group.status === 'succeeded' && timeOf(group.runs[0]!)) || group.status;
}

/** Places change only with the steps, not with their states. */
function usePlaces(groups: readonly StepGroup[]): ReturnType<typeof placed> | undefined {
  const shape = JSON.stringify(groups.map(({ stepId, dependsOn }) => [stepId, dependsOn]));
  const steps = useMemo(() => groups.map(({ stepId, dependsOn }) => ({ stepId, dependsOn })), [shape]);
  const [places, setPlaces] = useState<ReturnType<typeof placed>>();
  useEffect(() => {
    let isCurrent = true;
    void import('./layout.ts').then((layout) => isCurrent && setPlaces(layout.placed(steps)));
    return () => {
      isCurrent = false;
    };
  }, [steps]);
  return places && steps.every(({ stepId }) => places.nodes.has(stepId)) ? places : undefined;
}

const pathOf = (points: readonly { x: number; y: number }[]): string => {
  const [first, ...rest] = points;
  const middles = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1]!;
    return `Q${point.x},${point.y} ${(point.x + next.x) / 2},${(point.y + next.y) / 2}`;
  });
  const last = points.at(-1)!;
  return `M${first!.x},${first!.y}${middles.join('')}L${last.x},${last.y}`;
};

/** Along an edge by left and right, within a column by up and down. */
function neighbour(
  groups: readonly StepGroup[],
  nodes: ReadonlyMap<string, { x: number; y: number }>,
  from: string,
  key: string,
): StepGroup | undefined {
  const group = groups.find(({ stepId }) => stepId === from)!;
  if (key === 'ArrowLeft') return groups.find(({ stepId }) => group.dependsOn.includes(stepId));
  if (key === 'ArrowRight') return groups.find(({ dependsOn }) => dependsOn.includes(from));
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined;
  const { x } = nodes.get(from)!;
  const column = groups
    .filter(({ stepId }) => nodes.get(stepId)!.x === x)
    .sort((one, other) => nodes.get(one.stepId)!.y - nodes.get(other.stepId)!.y);
  return column[column.indexOf(group) + (key === 'ArrowDown' ? 1 : -1)];
}
