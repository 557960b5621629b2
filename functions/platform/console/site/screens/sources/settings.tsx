import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { api, type Types } from '../../data/client.ts';
import { type FormSchema, formSchemas } from '../../data/form-schemas.ts';
import { besides } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { forget } from '../../data/recent.ts';
import { addressOfSource, type Source } from '../../data/sources.ts';
import { useEdit } from '../../data/versioned.ts';
import { DeleteSection } from '../../shell/delete-record.tsx';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Changed } from '../../ui/changed.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { withoutEmpty } from '../../ui/json-schema.ts';
import { Section } from '../../ui/page.tsx';
import { fieldsOf, scheduleInWords, scheduleOf } from '../../ui/schedule.ts';
import { homeZone, ScheduleFields } from '../../ui/schedule-fields.tsx';
import { SchemaForm } from '../../ui/schema-form.tsx';
import { Issue } from '../../ui/states.tsx';

const FORMS: Readonly<Record<string, FormSchema>> = {
  postgres: 'CreatePostgresDataSource',
  mysql: 'CreateMysqlDataSource',
  s3: 'CreateS3DataSource',
  http: 'CreateHttpDataSource',
};

/** How the source is connected, when its catalog is read, and its removal. */
export function Settings({ source }: { source: Source }) {
  const { id, name, revision } = source;
  const { route } = useLocation();
  return (
    <div class="settings">
      <Section title="Connection">
        <ConnectionForm source={source} />
      </Section>
      <Section title="When to read its catalog">
        <ScheduleForm source={source} />
      </Section>
      <DeleteSection
        noun="source"
        what={`“${name}”`}
        hint="A source cannot be deleted while something reads it. Its uploaded files are deleted with it."
        remove={async () => {
          await api.dataSources.delete(id, { ifMatch: revision });
          forget({ type: 'data_source', id });
          route(to('/sources'));
        }}
      >
        The connection, its catalog and its files are deleted. This cannot be undone.
      </DeleteSection>
    </div>
  );
}

interface FormProps {
  source: Source;
}

interface Draft {
  name: string;
  config: Record<string, unknown>;
  secrets: Record<string, unknown>;
}

const draftOf = ({ name, config }: Source): Draft => ({
  name,
  config: config as Record<string, unknown>,
  secrets: {},
});

function ConnectionForm({ source }: FormProps) {
  const { id, type } = source;
  const draft = useSignal(draftOf(source));
  const set = (change: Partial<Draft>) => {
    draft.value = { ...draft.peek(), ...change };
  };
  const form = formSchemas[FORMS[type]!]?.properties;
  const edit = useEdit(
    source,
    () => api.dataSources.get(id),
    async (ifMatch) => {
      const { secrets, ...given } = withoutEmpty(draft.peek()) as Draft;
      const body = {
        name: given.name,
        ...(form && { config: given.config }),
        ...(Object.keys(secrets).length > 0 && { secrets }),
      };
      const saved = await api.dataSources.update(id, body as Types.UpdateDataSource, { ifMatch });
      await refreshQueries(['sources']);
      return saved;
    },
  );
  const { problem, theirs } = edit;
  const issues = problem?.issues ?? [];
  return (
    <Form
      action="Save"
      submit={() => edit.run()}
      isBusy={edit.isRunning}
      problem={besides(problem, ['name', 'config/', 'secrets/'])}
      instead={
        theirs && (
          <Changed
            keepMine={() => void edit.keepMine()}
            takeTheirs={() => {
              draft.value = draftOf(theirs);
              edit.takeTheirs();
              void refreshQueries(['sources']);
            }}
          >
            It is now called “{theirs.name}”{addressOfSource(theirs) && ` and is at ${addressOfSource(theirs)}`}.
          </Changed>
        )
      }
    >
      <Field
        label="Name"
        required
        maxLength={200}
        issue={issues.find(({ pointer }) => pointer === '/name')?.message}
        value={draft.value.name}
        onInput={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      {form && (
        <>
          <SchemaForm
            schema={form.config!}
            at="/config"
            issues={issues}
            value={draft.value.config}
            onChange={(next) => set({ config: next })}
          />
          <SchemaForm
            schema={form.secrets!}
            at="/secrets"
            isSecret
            isChange
            placeholder="unchanged unless you enter a new one"
            issues={issues}
            value={draft.value.secrets}
            onChange={(secrets) => set({ secrets })}
          />
        </>
      )}
    </Form>
  );
}

function ScheduleForm({ source }: FormProps) {
  const fields = useSignal(fieldsOf(source.schedule, homeZone()));
  const edit = useEdit(
    source,
    () => api.dataSources.get(source.id),
    async (ifMatch) => {
      const saved = await api.dataSources.setSchedule(source.id, scheduleOf(fields.peek()), { ifMatch });
      await refreshQueries(['sources']);
      return saved;
    },
  );
  const { theirs } = edit;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void edit.run();
      }}
    >
      <ScheduleFields value={fields} />
      {theirs ? (
        <Changed
          keepMine={() => void edit.keepMine()}
          takeTheirs={() => {
            fields.value = fieldsOf(theirs.schedule, homeZone());
            edit.takeTheirs();
            void refreshQueries(['sources']);
          }}
        >
          Its schedule is: {scheduleInWords(theirs.schedule)}. Yours: {scheduleInWords(scheduleOf(fields.value))}.
        </Changed>
      ) : (
        <>
          <div class="actions">
            <Button type="submit" isBusy={edit.isRunning}>
              Save the schedule
            </Button>
          </div>
          <Issue problem={edit.problem} />
        </>
      )}
    </form>
  );
}
