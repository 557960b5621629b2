import { countOf } from '../../ui/format.ts';
import { COMPARISONS, type Comparison, type Draft, type Question } from './question.ts';

interface OptionsProps {
  draft: Draft;
  question: Question;
  change(next: Partial<Draft>): void;
}

const LIMITS = [10, 100, 1_000, 10_000, 50_000];

/** How the answer is sorted, cut and compared. */
export function Options({ draft, question, change }: OptionsProps) {
  const [sorted] = question.sort;
  const columns = [...question.dimensions, ...question.measures].map(({ label }) => label);
  const canCompare = draft.measures.length > 0 && draft.dimensions.some(({ grain }) => grain);
  const limits = LIMITS.includes(draft.limit) ? LIMITS : [...LIMITS, draft.limit].sort((one, other) => one - other);
  return (
    <div class="explore-options">
      <label>
        <span>Sort by</span>
        <select
          value={sorted?.column ?? ''}
          onChange={({ currentTarget: { value } }) =>
            change({ sort: { column: value, direction: sorted?.direction ?? 'desc' } })
          }
        >
          {!sorted && <option value="">–</option>}
          {columns.map((column) => (
            <option key={column} value={column}>
              {column}
            </option>
          ))}
        </select>
        <select
          aria-label="Direction"
          value={sorted?.direction ?? 'desc'}
          disabled={!sorted}
          onChange={({ currentTarget: { value } }) =>
            sorted && change({ sort: { column: sorted.column, direction: value as 'asc' | 'desc' } })
          }
        >
          <option value="desc">descending</option>
          <option value="asc">ascending</option>
        </select>
      </label>
      <label>
        <span>At most</span>
        <select
          value={String(draft.limit)}
          onChange={({ currentTarget: { value } }) => change({ limit: Number(value) })}
        >
          {limits.map((limit) => (
            <option key={limit} value={String(limit)}>
              {countOf(limit)} rows
            </option>
          ))}
        </select>
      </label>
      {canCompare && (
        <label>
          <span>Compare with</span>
          <select
            value={draft.compare ?? ''}
            onChange={({ currentTarget: { value } }) =>
              change({ compare: (value || undefined) as Comparison } as Partial<Draft>)
            }
          >
            <option value="">nothing</option>
            {Object.entries(COMPARISONS).map(([key, label]) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}
