import type { ComponentChildren } from 'preact';
import { IconButton } from '../../ui/button.tsx';
import {
  AGGREGATIONS,
  type Aggregation,
  type Draft,
  GRAINS,
  type Grain,
  type Known,
  kindOf,
  type Question,
  wordsOf,
} from './question.ts';

interface ChosenProps {
  known: Known;
  draft: Draft;
  question: Question;
  change(next: Partial<Draft>): void;
}

const withAt = <T,>(list: readonly T[], at: number, item: T): T[] =>
  list.map((each, index) => (index === at ? item : each));
const withoutAt = <T,>(list: readonly T[], at: number): T[] => list.filter((_, index) => index !== at);

/** What the question has: each with what can be changed of it. */
export function Chosen({ known, draft, question, change }: ChosenProps) {
  const { dimensions, measures } = draft;
  const own = question.measures.filter(({ expression }) => expression === undefined);
  return (
    <div class="explore-chosen">
      {measures.length > 0 && (
        <Shelf title="Show">
          {measures.map((measure, at) => (
            <Chip
              key={own[at]!.label}
              label={own[at]!.label}
              remove={() => change({ measures: withoutAt(measures, at) })}
            >
              {measure.fieldId !== undefined && (
                <select
                  aria-label={`Aggregation of ${known.fields.get(measure.fieldId)!.name}`}
                  value={measure.aggregation}
                  onChange={({ currentTarget: { value } }) =>
                    change({ measures: withAt(measures, at, { ...measure, aggregation: value as Aggregation }) })
                  }
                >
                  {AGGREGATIONS.map((each) => (
                    <option key={each} value={each}>
                      {wordsOf(each)}
                    </option>
                  ))}
                </select>
              )}
            </Chip>
          ))}
        </Shelf>
      )}
      {dimensions.length > 0 && (
        <Shelf title="By">
          {dimensions.map((dimension, at) => {
            const field = known.fields.get(dimension.fieldId)!;
            return (
              <Chip
                key={dimension.fieldId}
                label={kindOf(field) === 'time' ? field.name : question.dimensions[at]!.label}
                remove={() => change({ dimensions: withoutAt(dimensions, at) })}
              >
                {kindOf(field) === 'time' && (
                  <GrainSelect
                    label={`Period of ${field.name}`}
                    grain={dimension.grain}
                    hasHours={field.dataType === 'datetime'}
                    change={(grain) =>
                      change({
                        dimensions: withAt(dimensions, at, { fieldId: field.id, ...(grain && { grain }) }),
                      })
                    }
                  />
                )}
              </Chip>
            );
          })}
        </Shelf>
      )}
    </div>
  );
}

interface GrainSelectProps {
  label: string;
  grain: Grain | undefined;
  hasHours: boolean;
  change(grain: Grain | undefined): void;
}

const GrainSelect = ({ label, grain, hasHours, change }: GrainSelectProps) => (
  <select
    aria-label={label}
    value={grain ?? ''}
    onChange={({ currentTarget: { value } }) => change((value || undefined) as Grain | undefined)}
  >
    {[...(hasHours ? ['hour'] : []), ...GRAINS].map((each) => (
      <option key={each} value={each}>
        by {each}
      </option>
    ))}
    <option value="">each value</option>
  </select>
);

const Shelf = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <fieldset class="explore-shelf">
    <legend>{title}</legend>
    <div>{children}</div>
  </fieldset>
);

interface ChipProps {
  label: string;
  remove(): void;
  children?: ComponentChildren;
}

const Chip = ({ label, remove, children }: ChipProps) => (
  <span class="explore-chip">
    <span>{label}</span>
    {children}
    <IconButton icon="x" label={`Remove ${label}`} onClick={remove} />
  </span>
);
