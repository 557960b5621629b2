import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format.ts';
import type { Tab, Tabs } from './tabs.ts';

interface ToolbarProps {
  tab: Tab;
  tabs: Tabs;
  /** Undefined until they are known. */
  databases: readonly { id: string; name: string }[] | undefined;
  isRunning: boolean;
  run(): void;
  cancel(): void;
}

const LIMITS = [100, 1_000, 10_000, 50_000];

/** What is read, how many rows at most, and the button that runs it. */
export function Toolbar({ tab, tabs, databases, isRunning, run, cancel }: ToolbarProps) {
  const isListed = tab.sourceId === null || databases?.some(({ id }) => id === tab.sourceId) === true;
  return (
    <div class="sql-toolbar">
      {isRunning ? (
        <Button look="danger" icon="x" onClick={cancel}>
          Cancel
        </Button>
      ) : (
        <Button look="main" icon="play" title="Ctrl Enter" onClick={run}>
          Run
        </Button>
      )}
      {((databases && databases.length > 0) || !isListed) && (
        <label class="sql-choice">
          <span>Read</span>
          <select
            value={tab.sourceId ?? ''}
            onChange={({ currentTarget: { value } }) => tabs.change(tab.id, { sourceId: value || null })}
          >
            <option value="">Datasets</option>
            {databases?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            {!isListed && <option value={tab.sourceId!}>{databases ? 'a source that is gone' : 'a database'}</option>}
          </select>
        </label>
      )}
      <label class="sql-choice">
        <span>At most</span>
        <select
          value={String(tab.limit)}
          onChange={({ currentTarget: { value } }) => tabs.change(tab.id, { limit: Number(value) })}
        >
          {LIMITS.map((limit) => (
            <option key={limit} value={String(limit)}>
              {countOf(limit)} rows
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
