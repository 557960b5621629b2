import type { Signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { chartImage } from '../data/chart-image.ts';
import { api, type Types } from '../data/client.ts';
import type { ShownLook } from '../data/dashboard-cards.ts';
import { problemOf } from '../data/problem.ts';
import { useQuery } from '../data/query.ts';
import { Button } from '../ui/button.tsx';
import { Picture } from '../ui/picture.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { useIsDark } from './theme.ts';

interface SuggestedChartsProps {
  /** What is charted: a statement, or the query of a chart. */
  asked: Omit<Types.SuggestCharts, 'image'>;
  /** What is shown, for a card. */
  look: Signal<ShownLook | undefined>;
}

/** Where the word of the API says little to people. */
const NAMES: Readonly<Record<string, string>> = { kpi: 'number', arc: 'pie', point: 'scatter', rect: 'heat map' };

/** The charts that the platform suggests for rows, drawn by it: the best first, the others to choose. */
export function SuggestedCharts({ asked, look }: SuggestedChartsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<number | undefined>(undefined);
  const isDark = useIsDark();
  const [index, setIndex] = useState(0);
  useEffect(() => setRoom(frame.current!.clientWidth), []);
  useEffect(() => setIndex(0), [JSON.stringify(asked)]);
  const { data, error, refresh } = useQuery(
    ['charts', asked, isDark, room],
    () => api.charts.suggest({ ...asked, image: chartImage(isDark, room!) }),
    { enabled: room !== undefined },
  );
  const charts = data?.suggestions.filter(({ image }) => image !== undefined) ?? [];
  const shown = charts[index] ?? charts[0];
  useEffect(() => {
    look.value = shown && { cardType: shown.cardType, look: shown.look };
  }, [shown]);
  return (
    <div ref={frame} class="charts">
      {!data && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />)}
      {data && !shown && (
        <Empty icon="chart-column" title="No chart suits these values">
          A chart needs a number, and a date or a category to compare it by.
        </Empty>
      )}
      {charts.length > 1 && (
        <fieldset class="chart-kinds" aria-label="Charts">
          {charts.map((chart, each) => (
            <Button key={chart.reason} isSmall aria-pressed={each === index} onClick={() => setIndex(each)}>
              {nameOf(chart)}
            </Button>
          ))}
        </fieldset>
      )}
      {shown?.image !== undefined && (
        <figure>
          <Picture svg={shown.image} label={`${nameOf(shown)}. ${shown.reason}`} />
          <figcaption class="hint">{shown.reason}</figcaption>
        </figure>
      )}
    </div>
  );
}

function nameOf({ cardType, look }: Types.SuggestedChart): string {
  const type = cardType === 'chart' ? ((look.mark as { type?: string }).type ?? cardType) : cardType;
  const name = NAMES[type] ?? type;
  return name.charAt(0).toUpperCase() + name.slice(1);
}
