import { useState } from 'preact/hooks';
import { Icon } from '../../ui/icon.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import {
  AGGREGATIONS,
  type Aggregation,
  type Draft,
  type Known,
  type KnownField,
  type KnownMeasure,
  kindOf,
} from './question.ts';

interface FieldListProps {
  known: Known;
  tables: readonly { alias: string; fields: readonly KnownField[] }[];
  draft: Draft;
  change(next: Partial<Draft>): void;
}

/** Of a table that is not searched. */
const MAX_SHOWN = 200;

/** Measures and fields to choose from. A press chooses one, another press takes it back. */
export function FieldList({ known, tables, draft, change }: FieldListProps) {
  const [search, setSearch] = useState('');
  const text = search.toLowerCase();
  const fits = ({ name, description }: { name: string; description: string }) =>
    name.toLowerCase().includes(text) || description.toLowerCase().includes(text);
  const measures = [...known.measures.values()].filter(fits);
  const shown = tables
    .map(({ alias, fields }) => ({
      alias,
      fields: alias.toLowerCase().includes(text) ? fields : fields.filter(fits),
    }))
    .filter(({ fields }) => fields.length > 0);
  const toggleMeasure = ({ id }: KnownMeasure) => {
    const others = draft.measures.filter(({ measureId }) => measureId !== id);
    change({ measures: others.length < draft.measures.length ? others : [...others, { measureId: id }] });
  };
  const toggleField = (field: KnownField) => {
    if (field.isMeasure) {
      const others = draft.measures.filter(({ fieldId }) => fieldId !== field.id);
      const aggregation = AGGREGATIONS.find((each) => each === field.aggregation) ?? ('sum' satisfies Aggregation);
      change({
        measures: others.length < draft.measures.length ? others : [...others, { fieldId: field.id, aggregation }],
      });
      return;
    }
    const others = draft.dimensions.filter(({ fieldId }) => fieldId !== field.id);
    const chosen = { fieldId: field.id, ...(kindOf(field) === 'time' && { grain: 'month' as const }) };
    change({ dimensions: others.length < draft.dimensions.length ? others : [...others, chosen] });
  };
  const isChosen = ({ id }: { id: string }) =>
    draft.measures.some(({ measureId, fieldId }) => measureId === id || fieldId === id) ||
    draft.dimensions.some(({ fieldId }) => fieldId === id);
  return (
    <div class="explore-fields">
      <SearchField label="Search measures and fields" value={search} onSearch={setSearch} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached by keyboard. */}
      <section aria-label="Measures and fields" tabIndex={0} class="explore-list">
        {measures.length > 0 && (
          <Group title="Measures">
            {measures.map((measure) => (
              <Choice
                key={measure.id}
                name={measure.name}
                detail={measure.folder}
                description={measure.description}
                isChosen={isChosen(measure)}
                toggle={() => toggleMeasure(measure)}
              />
            ))}
          </Group>
        )}
        {shown.map(({ alias, fields }) => (
          <Group key={alias} title={alias}>
            {fields.slice(0, MAX_SHOWN).map((field) => (
              <Choice
                key={field.id}
                name={field.name}
                detail={field.isMeasure ? 'measure' : field.dataType}
                description={field.description}
                isChosen={isChosen(field)}
                toggle={() => toggleField(field)}
              />
            ))}
            {fields.length > MAX_SHOWN && <li class="hint">Search to find the other fields.</li>}
          </Group>
        ))}
        {measures.length + shown.length === 0 && <p class="hint explore-none">No name contains this text.</p>}
      </section>
    </div>
  );
}

const Group = ({ title, children }: { title: string; children: preact.ComponentChildren }) => (
  <>
    <h2>{title}</h2>
    <ul>{children}</ul>
  </>
);

interface ChoiceProps {
  name: string;
  detail: string;
  description: string;
  isChosen: boolean;
  toggle(): void;
}

const Choice = ({ name, detail, description, isChosen, toggle }: ChoiceProps) => (
  <li>
    <button type="button" aria-pressed={isChosen} title={description || name} onClick={toggle}>
      {isChosen ? <Icon name="check" size={16} /> : <span class="no-icon" />}
      <span class="explore-name">{name}</span>
      <span class="hint">{detail}</span>
    </button>
  </li>
);
