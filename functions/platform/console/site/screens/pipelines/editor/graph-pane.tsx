import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton } from '../../../ui/button.tsx';
import { counted } from '../../../ui/format.ts';
import { Graph } from '../../../ui/graph.tsx';
import { Empty } from '../../../ui/states.tsx';
import { edgesOf, nodeOf } from '../nodes.tsx';
import { canFollow, type DraftDag, type Place, stepOf, withEdge, withoutStep, withStep } from './draft.ts';
import type { Editing } from './editing.ts';
import { newStep } from './kinds.ts';
import { StepPicker } from './step-picker.tsx';
import type { Validation } from './validation.ts';

interface GraphPaneProps {
  editing: Editing;
  validation: Validation;
  chosen: string | undefined;
  address: (stepId: string) => string;
  select: (stepId: string | undefined) => void;
  /** Moves the focus to the settings of the step. */
  openForm: () => void;
}

/** The steps of the draft. Everything that a pointer can do here, keys can do too. */
export function GraphPane({ editing, validation, chosen, address, select, openForm }: GraphPaneProps) {
  const { dag } = editing.content.value;
  const [place, setPlace] = useState<Place | undefined>(undefined);
  const [connecting, connect] = useState<string | undefined>(undefined);
  const [said, say] = useState('');
  const focusNode = useFocusNode();
  const remove = (id: string) => {
    const next = stepOf(dag, id)?.dependsOn?.[0] ?? dag.steps.find((step) => step.id !== id)?.id;
    editing.restructure(withoutStep(dag, id));
    say(`Step ${id} is removed. Undo restores it.`);
    select(next);
    if (next !== undefined) focusNode(next);
  };
  const finish = (from: string, to: string) => {
    connect(undefined);
    if (from === to) return say('');
    const isThere = stepOf(dag, to)?.dependsOn?.includes(from) === true;
    if (!isThere && !canFollow(dag, from, to)) return say(`${to} comes before ${from}, so it cannot wait for it.`);
    editing.restructure(withEdge(dag, from, to, !isThere));
    say(isThere ? `${to} no longer waits for ${from}.` : `${to} now waits for ${from}.`);
  };
  const begin = (id: string) => {
    connect(id);
    say(`Choose the step that waits for ${id}, or one that no longer does. Escape ends this.`);
  };
  const press = (id: string, { key }: KeyboardEvent): boolean => {
    if (key === 'Escape' && connecting !== undefined) connect(undefined);
    else if (key === 'Enter' && connecting !== undefined) finish(connecting, id);
    else if (key === 'Enter' && id === chosen) openForm();
    else if (key === 'a' || key === '+') setPlace({ after: id });
    else if (key === 'c') begin(id);
    else if (key === 'Delete' || key === 'Backspace') remove(id);
    else return false;
    return true;
  };
  return (
    <section class="surface graph-pane" aria-label="Steps">
      <div class="pane-tools">
        <Button isSmall icon="plus" onClick={() => setPlace({})}>
          Add a step
        </Button>
        {chosen !== undefined && (
          <>
            <Button
              isSmall
              look="plain"
              icon="link"
              aria-pressed={connecting !== undefined}
              onClick={() => (connecting === undefined ? begin(chosen) : connect(undefined))}
            >
              Connect
            </Button>
            <Button isSmall look="plain" icon="trash-2" onClick={() => remove(chosen)}>
              Remove
            </Button>
          </>
        )}
        <p class="hint" role="status">
          {said}
        </p>
      </div>
      {dag.steps.length === 0 ? (
        <Empty icon="workflow" title="There is no step yet">
          Begin with what is read: a table, files or a dataset.
        </Empty>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: while steps are connected, a click on a node ends that.
        // biome-ignore lint/a11y/useKeyWithClickEvents: Enter does the same, in `press`.
        <div
          onClick={(event) => {
            const id = (event.target as HTMLElement).closest<HTMLElement>('[data-node]')?.dataset.node;
            if (connecting === undefined || id === undefined) return;
            event.preventDefault();
            event.stopPropagation();
            finish(connecting, id);
          }}
        >
          <Graph
            nodes={dag.steps.map((step) => {
              const issues = validation.issues.get(step.id)?.length ?? 0;
              const { content, ...node } = nodeOf(step as never);
              return {
                ...node,
                href: address(step.id),
                ...(issues > 0 && { look: 'failed' }),
                content: (
                  <>
                    {content}
                    {issues > 0 && (
                      <span class="node-issues" title={counted(issues, 'issue')}>
                        <span aria-hidden="true">{issues}</span>
                        <span class="sr">{counted(issues, 'issue')}</span>
                      </span>
                    )}
                  </>
                ),
                beside: <AddButton label={`Add a step after ${step.id}`} add={() => setPlace({ after: step.id })} />,
              };
            })}
            edges={edgesOf(dag.steps).map((edge) => ({
              ...edge,
              between: hasRows(dag, edge.from) && (
                <AddButton
                  label={`Add a step between ${edge.from} and ${edge.to}`}
                  add={() => setPlace({ after: edge.from, before: edge.to })}
                />
              ),
            }))}
            currentId={chosen}
            onMove={select}
            onKey={press}
          />
        </div>
      )}
      {place && (
        <StepPicker
          dag={dag}
          place={place}
          close={() => setPlace(undefined)}
          choose={(kind) => {
            const step = newStep(dag, kind, place);
            editing.restructure(withStep(dag, step, place));
            say(`Step ${step.id} is added.`);
            select(step.id);
            focusNode(step.id);
          }}
        />
      )}
    </section>
  );
}

const hasRows = (dag: DraftDag, id: string): boolean => stepOf(dag, id)?.type !== 'load';

const AddButton = ({ label, add }: { label: string; add: () => void }) => (
  <span class="add-step">
    <IconButton icon="plus" label={label} onClick={add} />
  </span>
);

const MAX_FRAMES = 60;

/** Focuses a node as soon as it has a place. */
function useFocusNode(): (id: string) => void {
  const wanted = useRef<string | undefined>(undefined);
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  return (id) => {
    wanted.current = id;
    let frames = 0;
    const look = () => {
      if (wanted.current !== id) return;
      frames += 1;
      const isOver = document.querySelector('dialog[open]') !== null;
      const node = document.querySelector<HTMLElement>(`.graph-pane [data-node="${CSS.escape(id)}"]`);
      if (node && !isOver) node.focus();
      else if (frames < MAX_FRAMES) frame.current = requestAnimationFrame(look);
    };
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(look);
  };
}
