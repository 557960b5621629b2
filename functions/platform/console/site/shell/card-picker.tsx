import { useState } from 'preact/hooks';
import { api, type Types } from '../data/client.ts';
import { issueOfChoices } from '../data/problem.ts';
import { useQuery } from '../data/query.ts';
import { Combobox } from '../ui/combobox.tsx';
import { SelectField } from '../ui/field.tsx';

const MAX_OPTIONS = 10;

interface CardPickerProps {
  /** Undefined while nothing is chosen. */
  choose: (chosen: { dashboardId: string; card: Types.DashboardCard } | undefined) => void;
}

/** A card with rows, found by its dashboard. */
export function CardPicker({ choose }: CardPickerProps) {
  const [text, setText] = useState('');
  const [dashboard, setDashboard] = useState<{ id: string; label: string }>();
  const [cardId, setCardId] = useState('');
  const { data: found, error } = useQuery(
    ['dashboards', 'found', text],
    () => api.dashboards.list({ limit: MAX_OPTIONS, ...(text.trim() && { search: text.trim() }) }),
    { keepsLast: true },
  );
  const read = useQuery(['dashboards', dashboard?.id, 'cards'], () => api.dashboards.listCards(dashboard!.id), {
    enabled: dashboard !== undefined,
  });
  const cards = read.data?.items.filter(hasRows);
  const set = (id: string) => {
    setCardId(id);
    const card = cards?.find((each) => each.id === id);
    choose(dashboard && card && { dashboardId: dashboard.id, card });
  };
  return (
    <>
      <Combobox
        label="Dashboard"
        issue={issueOfChoices(error ?? read.error)}
        text={text}
        type={(next) => {
          setText(next);
          setDashboard(undefined);
          set('');
        }}
        options={dashboard ? [] : (found?.items ?? []).map(({ id, name }) => ({ id, label: name }))}
        choose={(option) => {
          setText(option.label);
          setDashboard(option);
        }}
      />
      {cards && (
        <SelectField label="Card" value={cardId} onChange={({ currentTarget }) => set(currentTarget.value)}>
          <option value="">{cards.length === 0 ? 'This dashboard has no card with rows' : 'choose one'}</option>
          {cards.map(({ id, title, cardType }) => (
            <option key={id} value={id}>
              {title || cardType}
            </option>
          ))}
        </SelectField>
      )}
    </>
  );
}

const hasRows = ({ chartSpec }: Types.DashboardCard): boolean => chartSpec !== null;
