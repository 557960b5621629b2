import { useEffect, useRef, useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import type { BoardDraft } from '../../data/board-draft.ts';
import type { Card } from '../../data/boards.ts';
import { SOURCE_KINDS, suggestionsFor, useColumns, useSourceName } from '../../data/chart-sources.ts';
import { api, type Types } from '../../data/client.ts';
import { type Problem, problemOf } from '../../data/problem.ts';
import type { Tokens } from '../../data/themes.ts';
import { Button } from '../../ui/button.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Issue } from '../../ui/states.tsx';
import { ChartFields } from './chart-fields.tsx';
import { ChartText } from './chart-text.tsx';
import { nameOfCard } from './edited-card.tsx';
import { useDark } from './use-dark.ts';

interface ChartPanelProps {
  draft: BoardDraft;
  card: Card;
  tokens: Tokens;
}

const PAUSE_MS = 350;

const specOf = ({ chartSpec, savedQueryId }: Card): Types.ChartSpec =>
  chartSpec ?? { version: 1, query: { source: { kind: 'savedQuery', id: savedQueryId! } }, mark: { type: 'table' } };

const cardTypeOf = (spec: Types.ChartSpec): string => {
  const { type } = spec.mark;
  if (type === 'table' || type === 'pivot' || type === 'kpi') return type;
  return type === 'geoshape' || type === 'geopoint' ? 'map' : 'chart';
};

/**
 * The settings of a chart. Each change is tried first: the preview shows the chart that is not saved yet, and only a
 * chart that can be drawn becomes that of the card.
 */
export function ChartPanel({ draft, card, tokens }: ChartPanelProps) {
  const saved = specOf(card);
  const [spec, setSpec] = useState(saved);
  const isOwn = useRef(false);
  // Another person, or an undone step, has changed the card.
  useEffect(() => {
    if (!isOwn.current) setSpec(saved);
  }, [JSON.stringify(saved)]);
  const dark = useDark();
  const preview = usePreview(spec, { ...tokens, dark }, () => {
    isOwn.current = false;
    if (JSON.stringify(spec) === JSON.stringify(specOf(draft.card(card.id) ?? card))) return;
    const change = { chartSpec: spec, cardType: cardTypeOf(spec) };
    draft.change(`Change ${nameOfCard(card)}`, new Map([[card.id, change]]));
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
        {!preview.image && preview.rowCount !== undefined && <p class="hint">{preview.rowCount} rows</p>}
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
