import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import type { Problem } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { useEdit } from '../../data/versioned.ts';
import { Referrers } from '../../shell/referrers.tsx';
import { Button } from '../../ui/button.tsx';
import { Changed } from '../../ui/changed.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { differencesOf } from '../../ui/differences.ts';
import { Issue } from '../../ui/states.tsx';

export interface Part {
  id: string;
  revision: number;
}

/** What the fields of a form get. */
export interface Drafting<D> {
  draft: D;
  set(change: Partial<D>): void;
  /** The message at a member of the request. */
  issue(member: string): string | undefined;
}

interface PartFormProps<P extends Part, D extends object> {
  modelId: string;
  /** Such as `measure`. */
  noun: string;
  name: string;
  /** Absent for a new one. */
  part: P | undefined;
  draft: D;
  draftOf(part: P): D;
  labels: Parameters<typeof differencesOf>[2];
  read(): PromiseLike<P>;
  save(draft: D, options: { ifMatch?: number }): PromiseLike<P>;
  remove?: (options: { ifMatch: number; force: boolean }) => PromiseLike<unknown>;
  /** What is lost when it is removed. */
  loses?: string;
  close(): void;
  children(drafting: Drafting<D>): ComponentChildren;
}

/** The form of one part of a model. What another person has saved meanwhile is shown, not overwritten. */
export function PartForm<P extends Part, D extends object>(props: PartFormProps<P, D>) {
  const { modelId, noun, name, part, draftOf, labels, read, save, remove, loses, close, children } = props;
  const draft = useSignal(props.draft);
  const isRemoving = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current!.querySelector<HTMLElement>('input, select, textarea')?.focus();
    form.current!.scrollIntoView({ block: 'nearest' });
  }, []);
  const edit = useEdit(
    (part ?? { id: '', revision: 0 }) as P,
    async () => read(),
    async (ifMatch) => {
      const saved = await save(draft.peek(), part ? { ifMatch } : {});
      await refreshQueries(['models', modelId]);
      return saved;
    },
  );
  const removal = useAction(async (force: boolean) => {
    await remove!({ ifMatch: edit.revision(), force });
    close();
    await refreshQueries(['models', modelId]);
  });
  const { theirs, problem } = edit;
  const submit = async (saving: Promise<boolean>) => {
    if (await saving) close();
  };
  const shown = new Set<string>();
  const content = children({
    draft: draft.value,
    set: (change) => {
      draft.value = { ...draft.peek(), ...change };
    },
    issue: (member) => {
      shown.add(`/${member}`);
      return theirs ? undefined : problem?.issues.find(({ pointer }) => pointer === `/${member}`)?.message;
    },
  });
  const isInUse = removal.problem?.code === 'REFERENCED';
  return (
    <>
      <form
        class="form part-form"
        ref={form}
        aria-label={part ? `${noun} ${name}` : `New ${noun}`}
        onSubmit={(event) => {
          event.preventDefault();
          void submit(edit.run());
        }}
      >
        <h2>{part ? `Edit ${name}` : `New ${noun}`}</h2>
        {content}
        {theirs ? (
          <Changed
            differences={differencesOf(draftOf(theirs), draft.value, labels)}
            keepMine={() => void submit(edit.keepMine())}
            takeTheirs={() => {
              draft.value = draftOf(theirs);
              edit.takeTheirs();
            }}
          />
        ) : (
          <>
            <Issue problem={withoutShown(problem, shown)} />
            <Referrers problem={problem} />
            <div class="actions">
              <Button type="submit" look="main" isBusy={edit.isRunning}>
                {part ? 'Save' : 'Create'}
              </Button>
              <Button onClick={close}>Cancel</Button>
              {part && remove && (
                <Button look="danger" onClick={() => (isRemoving.value = true)}>
                  Delete
                </Button>
              )}
            </div>
          </>
        )}
      </form>
      {isRemoving.value && (
        <Confirm
          title={`Delete “${name}”?`}
          action={isInUse ? 'Delete anyway' : 'Delete'}
          submit={() => removal.run(isInUse)}
          isBusy={removal.isRunning}
          problem={removal.problem}
          close={() => {
            isRemoving.value = false;
            removal.clear();
          }}
        >
          <p>{loses ?? 'This cannot be undone, except by restoring a version.'}</p>
          <Referrers problem={removal.problem} />
        </Confirm>
      )}
    </>
  );
}

/** A part of those that the API only lists. */
export async function findPart<P extends Part>(parts: AsyncIterable<P>, { id }: Part, noun: string): Promise<P> {
  for await (const part of parts) if (part.id === id) return part;
  throw new Error(`The ${noun} no longer exists.`);
}

/** Issues that the form shows at their fields are not repeated. */
function withoutShown(problem: Problem | undefined, shown: ReadonlySet<string>): Problem | undefined {
  if (!problem || problem.issues.length === 0) return problem;
  const issues = problem.issues.filter(({ pointer }) => !shown.has(pointer));
  return issues.length === 0 ? undefined : { ...problem, issues };
}
