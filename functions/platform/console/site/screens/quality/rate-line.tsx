import { kindOfRun, type Run } from '../../data/quality.ts';
import { counted, shareOf } from '../../ui/format.ts';

const [WIDTH, HEIGHT, EDGE] = [640, 90, 8];
const MAX_BARS = 60;

/** The share of rows that pass, one bar a run, oldest first. */
export function RateLine({ runs }: { runs: readonly Run[] }) {
  const shown = runs.slice(0, MAX_BARS).reverse();
  const step = (WIDTH - 2 * EDGE) / shown.length;
  const rates = shown.map(({ passRate }) => passRate);
  const known = rates.filter((rate) => rate !== null);
  // Rates are close to 1: what matters is how far below it they are.
  const low = Math.min(...known, 0.9);
  const heightOf = (rate: number) => 4 + ((rate - low) / (1 - low)) * (HEIGHT - 2 * EDGE - 4);
  const rateInWords = (rate: number) => shareOf(rate, 1);
  return (
    <figure class="rate-line">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Share of rows that pass: ${rateInWords(Math.min(...known))} to ${rateInWords(Math.max(...known))}`}
      >
        {shown.map(({ id, status, passRate }, index) => {
          const height = passRate === null ? HEIGHT - 2 * EDGE : heightOf(passRate);
          return (
            <rect
              key={id}
              class={passRate === null ? 'unknown' : kindOfRun(status)}
              x={EDGE + index * step + step * 0.1}
              y={HEIGHT - EDGE - height}
              width={Math.min(step * 0.8, 28)}
              height={height}
            />
          );
        })}
      </svg>
      <figcaption class="hint">
        Share of rows that passed in the last {counted(shown.length, 'run')}; the scale starts at {rateInWords(low)}
      </figcaption>
    </figure>
  );
}
