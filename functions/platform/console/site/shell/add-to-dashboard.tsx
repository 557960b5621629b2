import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../data/action.ts';
import type { Types } from '../data/client.ts';
import { api } from '../data/client.ts';
import { addCard, type CardContent, type ShownLook } from '../data/dashboard-cards.ts';
import { newDashboard } from '../data/first-charts.ts';
import { problemOf } from '../data/problem.ts';
import { useQuery } from '../data/query.ts';
import { to } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { counted } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';

interface AddToDashboardProps {
  title: string;
  /** The chart to show; by default, the platform chooses one. */
  look: ShownLook | undefined;
  /** What is said before a choice, such as that something is saved. */
  hint: string;
  /** What the card shows, which may have to be saved first. */
  content(): Promise<CardContent>;
  close(): void;
}

const SHOWN = 50;

/** One more choice, and the result is a card. */
export function AddToDashboard({ title, look, hint, content, close }: AddToDashboardProps) {
  const { route } = useLocation();
  const search = useSignal('');
  const { data, error, refresh } = useQuery(
    ['dashboards', 'to-add', search.value],
    () => api.dashboards.list({ sort: 'recent', limit: SHOWN, ...(search.value && { search: search.value }) }),
    { keepsLast: true },
  );
  // After a failure, what was made before it is not made again.
  const made = useRef<{ content?: CardContent; dashboard?: Types.Dashboard }>({}).current;
  const tried = useRef(new Map<string, number>()).current;
  const add = useAction(async (chosen: { id: string; name: string } | undefined) => {
    made.content ??= await content();
    if (!chosen) made.dashboard ??= await newDashboard(title);
    const { id, name } = (chosen ?? made.dashboard)!;
    await addCard(id, { content: made.content, title, look }, tried);
    close();
    toast(`Added to the draft of “${name}”. Viewers see it once it is published.`, {
      action: { label: 'Open', run: () => route(to(`/dashboards/${id}`)) },
    });
  });
  const items = data?.items ?? [];
  return (
    <Dialog title="Add to dashboard" close={close} problem={add.problem}>
      <p class="hint">{hint}</p>
      <Button icon="plus" isBusy={add.isRunning} onClick={() => void add.run(undefined)}>
        New dashboard “{title}”
      </Button>
      {(items.length > 5 || search.value) && (
        <SearchField
          label="Search dashboards"
          value={search.value}
          onSearch={(text) => {
            search.value = text;
          }}
        />
      )}
      {!data && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={4} />)}
      {data && items.length === 0 && search.value && <p class="hint">No dashboard has this text in its name.</p>}
      {items.length > 0 && (
        <ul class="used dashboards-to-add" aria-label="Dashboards">
          {items.map(({ id, name, counts }) => (
            <li key={id}>
              <button
                type="button"
                class="button plain"
                disabled={add.isRunning}
                onClick={() => void add.run({ id, name })}
              >
                <Icon name="layout-dashboard" size={16} />
                <span>{name}</span>
                <span class="hint">{counted(counts.cards, 'card')}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
