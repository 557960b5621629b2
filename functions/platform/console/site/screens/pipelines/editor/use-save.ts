import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../../data/action.ts';
import { ApiError, api, type Types } from '../../../data/client.ts';
import { type Pipeline, requiredParameters } from '../../../data/pipelines.ts';
import { type Problem, problemOf } from '../../../data/problem.ts';
import { queries, refreshQueries } from '../../../data/query.ts';
import { startRun } from '../../../data/start-run.ts';
import { to } from '../../../ui/address.ts';
import type { Difference } from '../../../ui/differences.ts';
import { toast } from '../../../ui/toast.tsx';
import type { DraftDag } from './draft.ts';
import type { Editing } from './editing.ts';
import { type Content, differencesIn, merged } from './merge.ts';
import type { Validation } from './validation.ts';

interface Saving {
  editing: Editing;
  stored: Pipeline | undefined;
  validation: Validation;
}

const contentOf = ({ name, dag }: Pipeline): Content => ({ name, dag: dag as unknown as DraftDag });

/** Of the pipeline that was saved last: a new one has another editor then, which shows it. */
const notStarted = signal<{ id: string; problem: Problem } | undefined>(undefined);

/** Saves the draft, and runs it if that is wanted. Nothing of another person's change is overwritten unseen. */
export function useSave({ editing, stored, validation }: Saving) {
  const { route } = useLocation();
  const [theirs, setTheirs] = useState<Pipeline | undefined>(undefined);
  const [hasMerged, setMerged] = useState(false);
  const action = useAction(async (isRun: boolean, isForced?: boolean) => {
    setMerged(false);
    notStarted.value = undefined;
    const content = editing.content.peek();
    let pipeline: Pipeline;
    try {
      pipeline = await write(editing, stored, content, isForced === true);
    } catch (error) {
      if (error instanceof ApiError && error.status === 412 && stored) await meet(stored.id);
      else validation.take(inDag(problemOf(error).issues), content.dag);
      throw error;
    }
    const base = { content: contentOf(pipeline), revision: pipeline.revision };
    if (stored) editing.saved(content, base);
    else editing.created(pipeline.id, content, base);
    queries.setQueryData(['pipelines', pipeline.id], pipeline);
    await refreshQueries(['pipelines']);
    if (isRun) return run(pipeline);
    toast('The pipeline is saved.');
    goOn(pipeline);
  });
  /** The editor of a pipeline that was new goes on with what was typed. */
  const goOn = ({ id }: Pipeline) => {
    if (stored) return;
    editing.leave();
    route(to(`/pipelines/${id}/edit`), true);
  };
  const run = async (pipeline: Pipeline) => {
    const { id, dag } = pipeline;
    if (requiredParameters(dag).length > 0) return route(to(`/pipelines/${id}`, { run: 'options' }));
    try {
      await startRun(id, {}, (runId) => route(to(`/runs/${runId}`)));
    } catch (error) {
      notStarted.value = { id, problem: problemOf(error) };
      goOn(pipeline);
    }
  };
  /** Another person was faster: what fits together is put together, the rest is for the person to decide. */
  const meet = async (id: string) => {
    const other = await api.pipelines.get(id);
    const base = editing.base.peek()!;
    const both = merged(base.content, editing.content.peek(), contentOf(other));
    if (both.conflicts.length > 0) return setTheirs(other);
    editing.rebase({ content: contentOf(other), revision: other.revision }, 'mine');
    setMerged(true);
  };
  return {
    ...action,
    /** Why the run did not start, although the pipeline is saved. */
    startProblem: stored && notStarted.value?.id === stored.id ? notStarted.value.problem : undefined,
    hasMerged,
    /** What two people have changed differently; undefined unless they have. */
    meeting: theirs && { differences: differencesTo(editing, theirs) },
    decide: (side: 'mine' | 'theirs') => {
      editing.rebase({ content: contentOf(theirs!), revision: theirs!.revision }, side);
      setTheirs(undefined);
      action.clear();
      if (side === 'mine') void action.run(false);
    },
  };
}

async function write(editing: Editing, stored: Pipeline | undefined, content: Content, isForced: boolean) {
  const body = { name: content.name.trim(), dag: content.dag as unknown as Types.Dag };
  if (!stored) return api.pipelines.create(body);
  const ifMatch = editing.base.peek()!.revision;
  return api.pipelines.update(stored.id, body, isForced ? { force: true } : undefined, { ifMatch });
}

function differencesTo(editing: Editing, theirs: Pipeline): Difference[] {
  const base = editing.base.peek()!.content;
  const [mine, other] = [editing.content.value, contentOf(theirs)];
  return merged(base, mine, other).conflicts.flatMap((part) => differencesIn(part, other, mine));
}

const inDag = (issues: readonly { pointer: string; message: string }[]) =>
  issues.filter(({ pointer }) => pointer.startsWith('/dag'));
