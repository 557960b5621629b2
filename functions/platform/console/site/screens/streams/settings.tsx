import { useSignal } from '@preact/signals';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { besides } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { SchemaForm } from '../../ui/schema-form.tsx';
import { Issue } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Stream, settingsSchema } from './streams.ts';
import { TablePicker } from './table-picker.tsx';

/** Which tables the stream follows, and how. */
export function Settings({ stream }: { stream: Stream }) {
  const { id, sourceId, enabled, capture, walLimitBytes, onWalLimit } = stream;
  const tables = useSignal<readonly string[]>(stream.tables.map(({ name }) => name));
  const settings = useSignal<Record<string, unknown>>({ capture, walLimitBytes, onWalLimit });
  const save = useAction(async () => {
    await api.cdcStreams.update(id, {
      ...settings.peek(),
      enabled,
      tables: [...tables.peek()],
    } as Types.UpdateCdcStream);
    await refreshQueries(['streams']);
    toast('The settings are saved.');
  });
  const issues = save.problem?.issues ?? [];
  return (
    <Section title="Settings">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <p class="hint">A new table gets a snapshot of its own; the others continue.</p>
        <TablePicker
          sourceId={sourceId}
          tables={tables.value}
          issues={issues}
          change={(next) => {
            tables.value = next;
          }}
        />
        <SchemaForm
          schema={settingsSchema()}
          omit={['sourceId', 'streamId', 'tables']}
          value={settings.value}
          issues={issues}
          onChange={(next) => {
            settings.value = next;
          }}
        />
        <Issue problem={besides(save.problem, ['tables/', ...Object.keys(settings.value)])} />
        <div class="actions">
          <Button type="submit" look="main" isBusy={save.isRunning} disabled={tables.value.length === 0}>
            Save
          </Button>
        </div>
      </form>
    </Section>
  );
}
