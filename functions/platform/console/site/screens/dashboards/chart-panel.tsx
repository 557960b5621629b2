import { useEffect, useRef, useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { SOURCE_KINDS, suggestionsFor, useColumns, useSourceName } from '../../data/chart-sources.ts';
import { api, type Types } from '../../data/client.ts';
import { type Problem, problemOf } from '../../data/problem.ts';
import type { Tokens } from '../../data/themes.ts';
import { Button } from '../../ui/button.tsx';
import { counted } from '../../ui/format.ts';
import { Picture } from '../../ui/picture.tsx';
import { Issue } from '../../ui/states.tsx';
import { ChartFields } from './chart-fields.tsx';
import { ChartText } from './chart-text.tsx';
import { useDark } from './use-dark.ts';

interface ChartPanelProps {
  /** The chart that the fields begin with. Another one, such as of another person, replaces them. */
  saved: Types.ChartSpec;
  save: (spec: Types.ChartSpec) => void;
  tokens: Tokens;
}

const PAUSE_MS = 350;

/**
 * The settings of a chart. Each change is tried first: the preview shows the chart that is not saved yet, and only a
 * chart that can be drawn is saved.
 */
export function ChartPanel({ saved, save, tokens }: ChartPanelProps) {
  const [spec, setSpec] = useState(saved);
  const isOwn = useRef(false);
  // Another person, or an undone step, has changed the card.
  useEffect(() => {
    if (!isOwn.current) setSpec(saved);
  }, [JSON.stringify(saved)]);
  const dark = useDark();
  const preview = usePreview(spec, { ...tokens, dark }, () => {
    isOwn.current = false;
    save(spec);
  });
  const set = (next: Types.ChartSpec) => {
    isOwn.current = true;
    setSpec(next);
  };
  const { source } = spec.query;
  const columns = useColumns(source);
  const name = useSourceName(source);
  const suggest = useAction(async () => {
    const found = await suggestionsFor(spec.query, { ...tokens, dark });
    setSuggested(found);
  });
  const [suggested, setSuggested] = useState<Awaited<ReturnType<typeof suggestionsFor>>>([]);
  return (
    <div class="chart-panel">
      <p class="hint">
        {SOURCE_KINDS[source.kind]}: {name ?? '…'}
      </p>
      <div class="preview" aria-busy={preview.isRunning || undefined}>
        {preview.image && <Picture svg={preview.image} label="Preview" />}
        {!preview.image && preview.rowCount !== undefined && <p class="hint">{counted(preview.rowCount, 'row')}</p>}
      </div>
      <Issue problem={preview.problem} />
      {columns.error ? <Issue problem={problemOf(columns.error)} /> : null}
      {columns.data && <ChartFields spec={spec} columns={columns.data} set={set} />}
      <Button isSmall icon="chart-column" isBusy={suggest.isRunning} onClick={() => void suggest.run()}>
        Suggest charts
      </Button>
      <Issue problem={suggest.problem} />
      {suggested.length > 0 && (
        <ul class="suggested">
          {suggested.map(({ spec: other, reason, image }) => (
            <li key={reason}>
              <button type="button" class="button" title={reason} onClick={() => set(other)}>
                {image && <Picture svg={image} label={reason} />}
                <span>{reason}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <ChartText spec={spec} problem={preview.problem} set={set} />
    </div>
  );
}

interface Preview {
  isRunning: boolean;
  image?: string | undefined;
  rowCount?: number;
  problem?: Problem;
}

/** Draws a chart that is not saved, after a pause. */
function usePreview(spec: Types.ChartSpec, tokens: Tokens, onGood: () => void): Preview {
  const [state, setState] = useState<Preview>({ isRunning: true });
  const good = useRef(onGood);
  good.current = onGood;
  useEffect(() => {
    const left = new AbortController();
    const timer = setTimeout(async () => {
      setState((before) => ({ ...before, isRunning: true }));
      try {
        const image = { width: 320, height: 200, theme: tokens };
        const shown = await api.charts.preview({ chartSpec: spec, image }, { signal: left.signal });
        if (left.signal.aborted) return;
        setState({ isRunning: false, image: shown.image, rowCount: shown.rowCount });
        good.current();
      } catch (error) {
        if (!left.signal.aborted) setState((before) => ({ ...before, isRunning: false, problem: problemOf(error) }));
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [JSON.stringify(spec), JSON.stringify(tokens)]);
  return state;
}
