import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { besides, issueOf, issueOfChoices } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { withoutEmpty } from '../../ui/json-schema.ts';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { SchemaForm } from '../../ui/schema-form.tsx';
import { Empty, Issue, Loading } from '../../ui/states.tsx';
import { settingsSchema, useSources } from './streams.ts';
import { TablePicker } from './table-picker.tsx';

/** The members whose issues the fields show. */
const FIELDS = ['sourceId', 'streamId', 'tables/', 'capture', 'walLimitBytes', 'onWalLimit'];

/** From a Postgres source to a stream that follows some of its tables. */
export default function NewStream({ query: { source = '' } }: ScreenProps) {
  const { route } = useLocation();
  const sources = useSources();
  const sourceId = useSignal(source);
  const streamId = useSignal('');
  const tables = useSignal<readonly string[]>([]);
  const settings = useSignal<Record<string, unknown>>({});
  const create = useAction(async () => {
    const { id } = await api.cdcStreams.create({
      ...(withoutEmpty(settings.peek()) as object),
      sourceId: sourceId.peek(),
      streamId: streamId.peek(),
      tables: [...tables.peek()],
    } as Types.CreateCdcStream);
    await refreshQueries(['streams']);
    route(to(`/streams/${id}`), true);
  });
  if (sources.data?.size === 0)
    return (
      <Page title="New stream">
        <Empty
          icon="database"
          title="There is no Postgres source yet"
          action={
            <Link to="/sources" class="button">
              Files & sources
            </Link>
          }
        >
          Streams follow tables of Postgres databases. An admin connects one first.
        </Empty>
      </Page>
    );
  const { problem } = create;
  const issues = problem?.issues ?? [];
  return (
    <Page title="New stream" lead="A snapshot of each table comes first, then every change, which pipelines read.">
      {sources.isLoading ? (
        <Loading rows={6} />
      ) : (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void create.run();
          }}
        >
          <SelectField
            label="Source"
            required
            issue={issueOf(problem, 'sourceId') ?? issueOfChoices(sources.error)}
            value={sourceId.value}
            onChange={({ currentTarget: { value } }) => {
              sourceId.value = value;
              tables.value = [];
            }}
          >
            <option value="" />
            {[...(sources.data?.values() ?? [])].map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <Field
            label="Name"
            required
            maxLength={40}
            pattern="[a-z0-9_]+"
            hint="Lower-case letters, digits and underscores, such as “shop”. Pipelines use it to read the stream."
            issue={issueOf(problem, 'streamId')}
            value={streamId.value}
            onInput={({ currentTarget: { value } }) => {
              streamId.value = value;
            }}
          />
          <TablePicker
            key={sourceId.value}
            sourceId={sourceId.value}
            tables={tables.value}
            issues={issues}
            change={(next) => {
              tables.value = next;
            }}
          />
          <SchemaForm
            schema={settingsSchema()}
            omit={['sourceId', 'streamId', 'tables']}
            foldsDefaults
            value={settings.value}
            issues={issues}
            onChange={(next) => {
              settings.value = next;
            }}
          />
          <Issue problem={besides(problem, FIELDS)} />
          <div class="actions">
            <Button type="submit" look="main" isBusy={create.isRunning} disabled={tables.value.length === 0}>
              Create the stream
            </Button>
          </div>
        </form>
      )}
    </Page>
  );
}
