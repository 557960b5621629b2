import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import { type Connection, parseConnectionUrl } from '../../data/connection-url.ts';
import { type FormSchema, formSchemas } from '../../data/form-schemas.ts';
import { besides } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { SOURCE_TYPES } from '../../data/sources.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { initialValue, type JsonSchema, withoutEmpty } from '../../ui/json-schema.ts';
import { Page } from '../../ui/page.tsx';
import { SchemaForm } from '../../ui/schema-form.tsx';
import { Issue } from '../../ui/states.tsx';
import { iconOf } from './icon-of.ts';

const FORMS: Readonly<Record<Connection['type'], FormSchema>> = {
  postgres: 'CreatePostgresDataSource',
  mysql: 'CreateMysqlDataSource',
  s3: 'CreateS3DataSource',
  http: 'CreateHttpDataSource',
};
const TYPES = Object.keys(FORMS) as Connection['type'][];

const memberOf = (type: Connection['type'], member: string): JsonSchema =>
  formSchemas[FORMS[type]]?.properties?.[member] ?? {};

/** The password of an address is hidden once it was typed: it is in its own field. */
const PASSWORD = /^(\w+:\/\/[^:@/]*:)[^@]+@/;
const HIDDEN = /^•+$/;

/** A connection of the type, with the defaults of its form. */
function connectionOf(type: Connection['type']): Connection {
  const config = initialValue(memberOf(type, 'config')) as Record<string, unknown>;
  return { type, name: SOURCE_TYPES[type]!, config, secrets: {} };
}

/** From an address, or from the fields of a type, to a source that is known to work. */
export default function NewSource() {
  const { route } = useLocation();
  const text = useSignal('');
  const connection = useSignal<Connection | undefined>(undefined);
  const given = connection.value;
  const set = (change: Partial<Connection>) => {
    connection.value = { ...connection.peek()!, ...change };
  };
  const save = useAction(async () => {
    const body = withoutEmpty(connection.peek()) as Types.CreateDataSource;
    const test = await api.dataSources.testNew(body);
    if (!test.ok) throw new Error(`The connection failed: ${test.message ?? test.code}`);
    const { id } = await api.dataSources.create(body);
    await refreshQueries(['sources']);
    route(to(`/sources/${id}`), true);
  });
  const paste = (typed: string) => {
    text.value = typed;
    const parsed = parseConnectionUrl(typed);
    if (!parsed) return;
    const base = connectionOf(parsed.type);
    const isHidden = HIDDEN.test(String(parsed.secrets.password ?? ''));
    const secrets = isHidden ? (connection.peek()?.secrets ?? {}) : parsed.secrets;
    connection.value = { ...parsed, config: { ...base.config, ...parsed.config }, secrets };
    save.clear();
  };
  const { problem } = save;
  const issues = problem?.issues ?? [];
  const isUnknown = text.value !== '' && !parseConnectionUrl(text.value);
  return (
    <Page title="Connect a source" lead="Paste its address, or choose its type and fill in the fields.">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <Field
          label="Address"
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder="postgres://user:password@host:5432/database"
          hint={
            isUnknown
              ? 'This is not the address of a source. Choose the type below.'
              : 'For Postgres, MySQL, an S3 bucket (s3://bucket/prefix) or a web service (https://…).'
          }
          value={text.value}
          onInput={({ currentTarget }) => paste(currentTarget.value)}
          onBlur={() => {
            text.value = text.peek().replace(PASSWORD, '$1••••@');
          }}
        />
        <fieldset class="types">
          <legend>Type</legend>
          {TYPES.map((type) => (
            <label key={type} class={given?.type === type ? 'type chosen' : 'type'}>
              <input
                type="radio"
                name="type"
                checked={given?.type === type}
                onChange={() => {
                  connection.value = connectionOf(type);
                  save.clear();
                }}
              />
              <Icon name={iconOf(type)} />
              {SOURCE_TYPES[type]}
            </label>
          ))}
        </fieldset>
        {given && (
          <>
            <Field
              label="Name"
              required
              maxLength={200}
              hint="The name that people here see."
              issue={issues.find(({ pointer }) => pointer === '/name')?.message}
              value={given.name}
              onInput={({ currentTarget }) => set({ name: currentTarget.value })}
            />
            <SchemaForm
              key={`config ${given.type}`}
              schema={memberOf(given.type, 'config')}
              at="/config"
              issues={issues}
              value={given.config}
              onChange={(config) => set({ config })}
            />
            <SchemaForm
              key={`secrets ${given.type}`}
              schema={memberOf(given.type, 'secrets')}
              at="/secrets"
              isSecret
              issues={issues}
              value={given.secrets}
              onChange={(secrets) => set({ secrets })}
            />
            <div class="actions">
              <Button type="submit" look="main" isBusy={save.isRunning}>
                Test and connect
              </Button>
            </div>
          </>
        )}
        <Issue problem={besides(problem, ['name', 'config/', 'secrets/'])} />
      </form>
    </Page>
  );
}
