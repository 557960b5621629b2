import { useState } from 'preact/hooks';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { Button } from '../../../ui/button.tsx';
import { DataGrid } from '../../../ui/data-grid.tsx';
import { counted, durationOf } from '../../../ui/format.ts';
import { Link } from '../../../ui/link.tsx';
import { useShortcut } from '../../../ui/shortcuts.ts';
import { Issue } from '../../../ui/states.tsx';
import type { DraftDag, DraftStep } from './draft.ts';

const LIMIT = 100;

interface Shown {
  preview: Types.TransformPreview;
  tookMs: number;
  /** The definition that it was made with. */
  of: string;
}

interface PreviewProps {
  pipelineId: string | undefined;
  dag: DraftDag;
  step: DraftStep;
}

/** The rows that the step makes of those that the last run has left before it. It runs when it is asked for. */
export function Preview({ pipelineId, dag, step }: PreviewProps) {
  const [shown, show] = useState<Shown | undefined>(undefined);
  const run = useAction(async () => {
    const began = performance.now();
    const body = { stepId: step.id, dag: dag as unknown as Types.Dag, limit: LIMIT };
    const preview = await api.pipelines.previewTransform(pipelineId!, body);
    show({ preview, tookMs: performance.now() - began, of: JSON.stringify(dag) });
  });
  const isPossible = pipelineId !== undefined && step.type !== 'extract';
  useShortcut('Ctrl Enter', 'Preview the step', () => void run.run(), isPossible);
  if (pipelineId === undefined)
    return <p class="hint">A step can be previewed once the pipeline has been saved and has run.</p>;
  if (!isPossible)
    return <p class="hint">Previews do not read sources. Run the pipeline, then preview a step after this one.</p>;
  return (
    <div class="preview">
      <div class="pane-tools">
        <Button isSmall icon="play" isBusy={run.isRunning} onClick={() => void run.run()}>
          Preview {step.id}
        </Button>
        {shown && <Cost shown={shown} isOld={shown.of !== JSON.stringify(dag)} />}
      </div>
      <Issue problem={run.problem} />
      {run.problem?.code === 'NO_RUN_DATA' && (
        <p class="hint">Save and run the pipeline once: previews use the rows of the last run.</p>
      )}
      {shown && (
        <>
          <DataGrid
            label={`Preview of ${shown.preview.stepId}`}
            columns={shown.preview.columns}
            rows={shown.preview.rows}
          />
          {shown.preview.rows.length === 0 && <p class="hint">The step returns no rows for this input.</p>}
          {shown.preview.lines && shown.preview.lines.length > 0 && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys too.
            <pre role="log" tabIndex={0} aria-label="Console output of the code">
              {shown.preview.lines.map(({ level, message }) => `${level} ${message}\n`)}
            </pre>
          )}
        </>
      )}
    </div>
  );
}

function Cost({ shown: { preview, tookMs }, isOld }: { shown: Shown; isOld: boolean }) {
  const { rowCount, truncated, basedOnRunId } = preview;
  return (
    <p class="hint" role="status">
      {truncated ? `The first ${counted(rowCount, 'row')}` : counted(rowCount, 'row')} in {durationOf(tookMs)}, of the
      rows of a <Link to={`/runs/${basedOnRunId}`}>former run</Link>; no source was read and nothing loaded.
      {isOld && ' The draft has changed since.'}
    </p>
  );
}
