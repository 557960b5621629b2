import { Button } from '../../ui/button.tsx';
import { counted, durationOf } from '../../ui/format.ts';
import { Empty } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { clearHistory, type Past, pastRuns } from './history.ts';

const MAX_SHOWN = 300;

/** What the person has run in this browser. */
export function HistoryList({ owner, open }: { owner: string; open(past: Past): void }) {
  const items = pastRuns(owner);
  if (items.length === 0) {
    return (
      <Empty icon="clock" title="Nothing was run yet">
        Statements that you run appear here. They are kept in this browser.
      </Empty>
    );
  }
  return (
    <div class="sql-list">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached by keyboard. */}
      <ul aria-label="History" tabIndex={0}>
        {items.map((past) => (
          <li key={past.at}>
            <button type="button" onClick={() => open(past)}>
              <code class="sql-item-text">{past.sql.slice(0, MAX_SHOWN)}</code>
              <span class="hint">
                <Ago at={past.at} /> · {past.error ?? counted(past.rows ?? 0, 'row')} · {durationOf(past.ms)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <Button isSmall look="plain" onClick={() => clearHistory(owner)}>
        Clear the history
      </Button>
    </div>
  );
}
