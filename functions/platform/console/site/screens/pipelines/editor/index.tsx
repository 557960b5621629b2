import { useMemo } from 'preact/hooks';
import { type Pipeline, usePipeline } from '../../../data/pipelines.ts';
import { problemOf } from '../../../data/problem.ts';
import type { ScreenProps } from '../../../shell/screen.ts';
import { Page } from '../../../ui/page.tsx';
import { Failed, Loading, NotAllowed } from '../../../ui/states.tsx';
import type { DraftDag } from './draft.ts';
import { Editing } from './editing.ts';
import { Editor } from './editor.tsx';
import { EMPTY, EXAMPLE } from './example.ts';
import type { Content } from './merge.ts';

/** Edits a pipeline, or a new one: from nothing, from an example, or from another pipeline. */
export default function EditScreen({ params: { id }, query }: ScreenProps) {
  const { from = '' } = query;
  const isCopy = id === undefined && from !== '' && from !== 'example';
  const read = id ?? (isCopy ? from : undefined);
  const { data: pipeline, error, refresh } = usePipeline(read ?? '', read !== undefined);
  if (read !== undefined && !pipeline) {
    return (
      <Page title="Pipeline">
        {error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={8} />}
      </Page>
    );
  }
  if (id !== undefined && pipeline?.permission !== 'editor') {
    return (
      <NotAllowed isPage title="You may not edit this pipeline">
        Ask an admin for the role of an editor, or for the permission to edit this pipeline.
      </NotAllowed>
    );
  }
  return <Opened key={read ?? from} pipeline={pipeline} isCopy={isCopy} query={query} />;
}

interface OpenedProps {
  pipeline: Pipeline | undefined;
  isCopy: boolean;
  query: ScreenProps['query'];
}

function Opened({ pipeline, isCopy, query }: OpenedProps) {
  const editing = useMemo(() => {
    if (!pipeline) return new Editing(`new ${query.from ?? ''}`, query.from === 'example' ? EXAMPLE : EMPTY);
    if (isCopy) return new Editing(`new ${pipeline.id}`, copyOf(pipeline));
    const content = contentOf(pipeline);
    return new Editing(pipeline.id, content, { content, revision: pipeline.revision });
  }, []);
  return <Editor editing={editing} stored={isCopy ? undefined : pipeline} query={query} isCopy={isCopy} />;
}

/** What the editor changes of a pipeline. */
export const contentOf = ({ name, dag }: Pipeline): Content => ({ name, dag: dag as unknown as DraftDag });

/** A copy starts by hand only: two pipelines that load the same on the same schedule are rarely meant. */
function copyOf(pipeline: Pipeline): Content {
  const { name, dag } = contentOf(pipeline);
  const { schedule: _schedule, trigger: _trigger, ...rest } = dag;
  return { name: `${name.slice(0, 190)} (copy)`, dag: { ...rest, version: 1, steps: dag.steps } };
}
