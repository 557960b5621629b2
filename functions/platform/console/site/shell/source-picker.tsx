import { useState } from 'preact/hooks';
import { useAction } from '../data/action.ts';
import { firstQuery } from '../data/chart-form.ts';
import {
  columnsOf,
  type FoundSource,
  SOURCE_KINDS,
  type SourceKind,
  suggestionsFor,
  useSources,
} from '../data/chart-sources.ts';
import type { Types } from '../data/client.ts';
import { problemOf } from '../data/problem.ts';
import type { Tokens } from '../data/themes.ts';
import { SelectField } from '../ui/field.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Failed, Issue, Loading } from '../ui/states.tsx';

/** A chart that was made of a source. */
export interface MadeChart {
  /** Of the source. */
  name: string;
  spec: Types.ChartSpec;
  cardType: string;
}

interface SourcePickerProps {
  tokens: Tokens;
  make: (chart: MadeChart) => void;
}

/** What a new chart is of. Choosing a source makes a chart at once; its settings follow. */
export function SourcePicker({ tokens, make }: SourcePickerProps) {
  const [kind, setKind] = useState<SourceKind>('dataset');
  const [search, setSearch] = useState('');
  const sources = useSources(kind, search);
  const choose = useAction(async ({ id, name, kind: of }: FoundSource) => {
    const source = { kind: of, id };
    const query = of === 'metric' || of === 'savedQuery' ? { source } : firstQuery(source, await columnsOf(source));
    const [best] = await suggestionsFor(query, tokens);
    const spec = best?.spec ?? { version: 1 as const, query, mark: { type: 'table' as const } };
    make({ name, spec, cardType: best?.cardType ?? 'table' });
  });
  return (
    <div class="source-picker">
      <SelectField
        label="A chart of"
        value={kind}
        onChange={({ currentTarget }) => setKind(currentTarget.value as SourceKind)}
      >
        {Object.entries(SOURCE_KINDS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <SearchField label="Search by name" value={search} onSearch={setSearch} />
      {sources.error !== null && sources.error !== undefined && (
        <Failed problem={problemOf(sources.error)} retry={sources.refresh} />
      )}
      {sources.isLoading && <Loading rows={4} />}
      {sources.data?.length === 0 && (
        <p class="hint">
          There is no {SOURCE_KINDS[kind].toLowerCase()} {search ? 'with this text in its name' : 'yet'}.
        </p>
      )}
      <ul class="choices-list" aria-busy={choose.isRunning || undefined}>
        {sources.data?.map((source) => (
          <li key={source.id}>
            <button
              type="button"
              class="button plain"
              disabled={choose.isRunning}
              onClick={() => void choose.run(source)}
            >
              {source.name}
            </button>
          </li>
        ))}
      </ul>
      <Issue problem={choose.problem} />
    </div>
  );
}
