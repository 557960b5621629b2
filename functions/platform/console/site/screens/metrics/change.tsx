import { changePercentText } from '../../../../../../shared/platform/text/percent-text.ts';
import type { MetricValue } from '../../data/metrics.ts';
import { changeText } from '../../ui/amount.ts';

/** The difference to the other period: an arrow says which way, and its color whether that is good. */
export function Change({ value: { comparison, direction, format } }: { value: MetricValue }) {
  if (comparison === null || comparison.change === null) return null;
  const change = Number(comparison.change);
  if (change === 0) return <span class="hint">±0</span>;
  const isGood = change > 0 === (direction === 'up_good');
  const text =
    comparison.changePct === null ? changeText(comparison.change, format) : changePercentText(comparison.changePct);
  return (
    <span class={`change ${isGood ? 'good' : 'bad'}`}>
      <span aria-hidden="true">{change > 0 ? '▲' : '▼'}</span> {text}
      <span class="sr">{isGood ? ', which is good' : ', which is bad'}</span>
    </span>
  );
}
