import { useState } from 'preact/hooks';
import { api, type Types } from '../../data/client.ts';
import { useQuery } from '../../data/query.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';

const MAX_OPTIONS = 10;

interface PickBlockProps {
  /** With the attributes of the live block, or nothing. */
  close(attrs?: Record<string, unknown>): void;
}

/** A card of a dashboard as a live block: it follows the card. */
export function PickBlock({ close }: PickBlockProps) {
  const [text, setText] = useState('');
  const [dashboard, setDashboard] = useState<{ id: string; label: string }>();
  const [cardId, setCardId] = useState('');
  const found = useQuery(
    ['dashboards', 'found', text],
    () => api.dashboards.list({ limit: MAX_OPTIONS, ...(text.trim() && { search: text.trim() }) }),
    { keepsLast: true },
  ).data?.items;
  const cards = useQuery(['dashboards', dashboard?.id, 'cards'], () => api.dashboards.listCards(dashboard!.id), {
    enabled: dashboard !== undefined,
  }).data?.items.filter(hasRows);
  const card = cards?.find(({ id }) => id === cardId);
  const pick = async () => {
    if (!dashboard || !card) return false;
    close({
      source: { kind: 'card', dashboardId: dashboard.id, cardId: card.id },
      ...(card.title && { title: card.title }),
    });
    return false;
  };
  return (
    <Dialog title="Live block" close={() => close()} action="Insert" isIncomplete={!card} submit={pick}>
      <p>A card of a dashboard, which shows each reader the current rows that they may see.</p>
      <Combobox
        label="Dashboard"
        text={text}
        type={(next) => {
          setText(next);
          setDashboard(undefined);
          setCardId('');
        }}
        options={dashboard ? [] : (found ?? []).map(({ id, name }) => ({ id, label: name }))}
        choose={(option) => {
          setText(option.label);
          setDashboard(option);
        }}
      />
      {cards && (
        <SelectField label="Card" value={cardId} onChange={({ currentTarget }) => setCardId(currentTarget.value)}>
          <option value="">{cards.length === 0 ? 'This dashboard has no card with rows' : 'choose one'}</option>
          {cards.map(({ id, title, cardType }) => (
            <option key={id} value={id}>
              {title || cardType}
            </option>
          ))}
        </SelectField>
      )}
    </Dialog>
  );
}

const hasRows = ({ chartSpec }: Types.DashboardCard): boolean => chartSpec !== null;
