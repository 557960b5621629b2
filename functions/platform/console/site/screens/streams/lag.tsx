import { useEffect, useRef, useState } from 'preact/hooks';
import { durationOf } from '../../ui/format.ts';
import { lagText, type Stream } from './streams.ts';

interface Sample {
  at: number;
  seconds: number;
}

const MAX_SAMPLES = 360;
const WIDTH = 600;
const HEIGHT = 80;

/** The lag now, and since the page was opened: the API keeps no history of it. */
export function Lag({ stream }: { stream: Stream }) {
  const { id, lagSeconds } = stream;
  const [samples, add] = useState<readonly Sample[]>([]);
  const last = useRef<Stream | undefined>(undefined);
  useEffect(() => {
    // The same reply is one sample.
    if (lagSeconds === null || last.current === stream) return;
    last.current = stream;
    add((known) => [...known, { at: Date.now(), seconds: lagSeconds }].slice(-MAX_SAMPLES));
  }, [id, stream]);
  if (lagSeconds === null)
    return <p class="hint">The lag is known once the capture has caught up for the first time.</p>;
  const most = Math.max(1, ...samples.map(({ seconds }) => seconds));
  return (
    <div class="lag">
      <p>
        <strong>{lagText(stream)}</strong> behind the source
        {samples.length > 1 && (
          <span class="hint">, at most {durationOf(most * 1_000)} since this page was opened</span>
        )}
      </p>
      {samples.length > 1 && (
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path d={pathOf(samples, most)} />
        </svg>
      )}
    </div>
  );
}

function pathOf(samples: readonly Sample[], most: number): string {
  const [first, last] = [samples[0]!.at, samples.at(-1)!.at];
  const x = ({ at }: Sample) => ((at - first) / Math.max(1, last - first)) * WIDTH;
  const y = ({ seconds }: Sample) => HEIGHT - 2 - (seconds / most) * (HEIGHT - 4);
  return `M${samples.map((sample) => `${x(sample).toFixed(1)},${y(sample).toFixed(1)}`).join('L')}`;
}
