import { useEffect, useRef, useState } from 'preact/hooks';
import type { Types } from '../../data/client.ts';
import type { Tokens } from '../../data/themes.ts';
import { CardPicker } from '../../shell/card-picker.tsx';
import { SourcePicker } from '../../shell/source-picker.tsx';
import { Button } from '../../ui/button.tsx';

/** What a new block shows. */
export interface Copied {
  title: string;
  spec: Types.ChartSpec;
}

interface NewReportChartProps {
  /** A copy of a card instead of a new chart. */
  isCard: boolean;
  tokens: Tokens;
  insert: (copied: Copied) => void;
  close: () => void;
}

/** Chooses what a new block with rows shows. */
export function NewReportChart({ isCard, tokens, insert, close }: NewReportChartProps) {
  const [card, choose] = useState<Types.DashboardCard>();
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current!.querySelector<HTMLElement>('input, select')?.focus(), []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need another look.
    <div class="report-new" role="group" aria-label="New chart" ref={frame}>
      {isCard ? (
        <>
          <p class="hint">The chart of the card is copied: later changes of the dashboard do not change the report.</p>
          <CardPicker choose={(chosen) => choose(chosen?.card)} />
        </>
      ) : (
        <SourcePicker tokens={tokens} make={({ name, spec }) => insert({ title: name, spec })} />
      )}
      <div class="actions">
        {isCard && (
          <Button
            look="main"
            disabled={!card}
            onClick={() => insert({ title: card!.title, spec: card!.chartSpec as Types.ChartSpec })}
          >
            Insert
          </Button>
        )}
        <Button onClick={close}>Cancel</Button>
      </div>
    </div>
  );
}
