import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from './button.tsx';
import { CheckField, Field, SelectField, TextField } from './field.tsx';
import { controlOf, initialValue, type JsonSchema, labelOf, tagOf } from './json-schema.ts';

/** Why values are refused, by JSON pointers into the value. */
export type Issues = readonly { pointer: string; message: string }[];

interface SchemaFormProps {
  schema: JsonSchema;
  value: Readonly<Record<string, unknown>>;
  onChange(value: Record<string, unknown>): void;
  issues?: Issues;
  /** Where the value is in the request that the issues are about, such as `/config`. */
  at?: string;
  /** Members that are asked for elsewhere. */
  omit?: readonly string[];
  /** The texts are hidden while they are typed. */
  isSecret?: boolean;
  /** In the place of a secret that is kept unless another one is typed. */
  placeholder?: string;
  /** Whether required members may be left out, as in a change. */
  isChange?: boolean;
  /** Folds members with a default away, too: only required ones are asked for first. */
  foldsDefaults?: boolean;
  /** Another control for some members, such as one that knows which values exist; undefined for the usual one. */
  special?: (member: FormMember) => ComponentChildren | undefined;
}

/** A member of an object that a form asks for. */
export interface FormMember {
  name: string;
  schema: JsonSchema;
  /** Where it is, as a JSON pointer. */
  at: string;
  label: string;
  hint?: string;
  issue?: string | undefined;
  isRequired: boolean;
  value: unknown;
  onChange(value: unknown): void;
}

type Common = Omit<SchemaFormProps, 'schema' | 'value' | 'onChange' | 'at' | 'omit'>;

/** The fields of an object, from its JSON Schema. Optional ones are folded away below the required ones. */
export function SchemaForm({ schema, value, onChange, at = '', omit = [], ...common }: SchemaFormProps) {
  const { properties = {}, required = [] } = schema;
  const names = Object.keys(properties).filter((name) => !omit.includes(name));
  const isMain = (name: string) =>
    required.includes(name) || (properties[name]!.default !== undefined && common.foldsDefaults !== true);
  const member = (name: string) => (
    <Member
      key={name}
      {...common}
      name={name}
      schema={properties[name]!}
      at={`${at}/${name}`}
      isRequired={required.includes(name) && properties[name]!.default === undefined && common.isChange !== true}
      value={value[name]}
      onChange={(next) => onChange({ ...value, [name]: next })}
    />
  );
  const others = names.filter((name) => !isMain(name));
  const isUsed = others.some(
    (name) => value[name] !== undefined || common.issues?.some(({ pointer }) => pointer.startsWith(`${at}/${name}`)),
  );
  return (
    <>
      {names.filter(isMain).map(member)}
      {others.length > 0 && (
        <details open={isUsed || undefined}>
          <summary>More settings</summary>
          <div class="form">{others.map(member)}</div>
        </details>
      )}
    </>
  );
}

interface MemberProps extends Common {
  name: string;
  schema: JsonSchema;
  at: string;
  isRequired: boolean;
  value: unknown;
  onChange(value: unknown): void;
}

interface ChoiceProps extends Pick<MemberProps, 'schema' | 'value' | 'isRequired' | 'onChange'> {
  label: string;
  hint?: ComponentChildren;
  issue: string | undefined;
  values: readonly unknown[];
}

/** One of several values. What is left out has its default, which the field shows. */
function Choice({ schema, value, isRequired, onChange, values, ...common }: ChoiceProps) {
  const shown = value ?? schema.default;
  return (
    <SelectField
      {...common}
      value={shown === undefined ? '' : String(shown)}
      required={isRequired}
      onChange={({ currentTarget }) => onChange(values.find((each) => String(each) === currentTarget.value))}
    >
      {shown === undefined && <option value="" />}
      {values.map((each) => (
        <option key={String(each)} value={String(each)}>
          {String(each)}
        </option>
      ))}
    </SelectField>
  );
}

function Member(props: MemberProps) {
  const { name, schema, at, isRequired, value, onChange, issues = [], isSecret, placeholder } = props;
  const control = controlOf(schema);
  const common = {
    label: labelOf(name, schema),
    issue: issues.find(({ pointer }) => pointer === at)?.message,
    ...(schema.description && { hint: plain(schema.description) }),
  };
  const special = props.special?.({ name, schema, at, isRequired, value, onChange, ...common });
  if (special !== undefined) return <>{special}</>;
  const text = value === undefined ? '' : String(value);
  // What is left out has its default, which the field shows.
  const fallback = schema.default === undefined ? undefined : String(schema.default);
  switch (control.kind) {
    case 'fixed':
      return null;
    case 'check':
      return (
        <CheckField
          {...common}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <Choice
          {...common}
          schema={schema}
          values={control.values}
          value={value}
          isRequired={isRequired}
          onChange={onChange}
        />
      );
    case 'number':
      return (
        <Field
          {...common}
          type="number"
          min={schema.minimum}
          max={schema.maximum}
          step={schema.type === 'integer' ? 1 : 'any'}
          required={isRequired}
          placeholder={fallback}
          value={text}
          onInput={({ currentTarget: { value: typed } }) => onChange(typed === '' ? undefined : Number(typed))}
        />
      );
    case 'long':
      return (
        <TextField
          {...common}
          required={isRequired}
          value={text}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    case 'text':
      return (
        <Field
          {...common}
          type={isSecret ? 'password' : 'text'}
          autocomplete={isSecret ? 'new-password' : 'off'}
          spellcheck={false}
          required={isRequired}
          maxLength={schema.maxLength}
          placeholder={placeholder ?? fallback}
          value={text}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    case 'json':
      return <JsonMember {...props} common={common} />;
    case 'object': {
      // What an optional object requires is only required once something of it is entered.
      const isAbsent = !isRequired && isEmpty(value);
      return (
        <Group {...common}>
          <Nested
            {...props}
            schema={schema}
            isChange={props.isChange === true || isAbsent}
            onChange={(next) => onChange(!isRequired && isEmpty(next) ? undefined : next)}
          />
        </Group>
      );
    }
    case 'list':
      return <ListMember {...props} items={control.items} common={common} />;
    case 'map':
      return <MapMember {...props} common={common} />;
    case 'variants': {
      const tag = (value as Record<string, unknown> | undefined)?.[control.member];
      const variant = control.variants.find((each) => tagOf(each.properties?.[control.member]) === tag);
      return (
        <Group {...common}>
          <SelectField
            label={labelOf(control.member)}
            value={tag === undefined ? '' : String(tag)}
            onChange={({ currentTarget }) => {
              const chosen = control.variants.find(
                (each) => String(tagOf(each.properties?.[control.member])) === currentTarget.value,
              );
              onChange(chosen && initialValue(chosen));
            }}
          >
            {!isRequired && <option value="">none</option>}
            {control.variants.map((each) => {
              const own = String(tagOf(each.properties?.[control.member]));
              return (
                <option key={own} value={own}>
                  {own}
                </option>
              );
            })}
          </SelectField>
          {variant && <Nested {...props} schema={variant} />}
        </Group>
      );
    }
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || Object.values(value as object).every((each) => each === undefined || each === '');

/** The fields of an object within the object. */
const Nested = ({ name: _name, isRequired: _isRequired, value, onChange, ...props }: MemberProps) => (
  <SchemaForm {...props} value={(value as Record<string, unknown> | undefined) ?? {}} onChange={onChange} />
);

interface GroupProps {
  label: string;
  hint?: string;
  issue?: string | undefined;
  children: ComponentChildren;
}

const Group = ({ label, hint, issue, children }: GroupProps) => (
  <fieldset class="field-group">
    <legend>{label}</legend>
    {hint && <p class="hint">{hint}</p>}
    {issue && <p class="issue">{issue}</p>}
    {children}
  </fieldset>
);

type Labelled = Omit<GroupProps, 'children'>;

function ListMember({ items, common, ...props }: MemberProps & { items: JsonSchema; common: Labelled }) {
  const { schema, value, onChange, at } = props;
  const all = Array.isArray(value) ? (value as unknown[]) : [];
  const singular = common.label.replace(/s$/, '');
  const replace = (index: number, next: unknown) => onChange(all.map((each, at) => (at === index ? next : each)));
  return (
    <Group {...common}>
      {all.map((each, index) => (
        <div class="entry-row" key={index}>
          <Member
            {...props}
            name={`${singular} ${index + 1}`}
            schema={items}
            at={`${at}/${index}`}
            isRequired
            value={each}
            onChange={(next) => replace(index, next)}
          />
          {all.length > (schema.minItems ?? 0) && (
            <Button isSmall look="plain" icon="x" onClick={() => onChange(all.filter((_, at) => at !== index))}>
              Remove {singular.toLowerCase()} {index + 1}
            </Button>
          )}
        </div>
      ))}
      {all.length < (schema.maxItems ?? Number.POSITIVE_INFINITY) && (
        <Button isSmall icon="plus" onClick={() => onChange([...all, initialValue(items)])}>
          Add {singular.toLowerCase()}
        </Button>
      )}
    </Group>
  );
}

/** One entry a line, such as `X-Tenant: acme`. */
function MapMember({ value, onChange, common, isSecret }: MemberProps & { common: Labelled }) {
  const entries = Object.entries((value as Record<string, string> | undefined) ?? {});
  return (
    <TextField
      {...common}
      hint={`${common.hint ?? ''} One per line, such as “name: value”.`.trim()}
      rows={3}
      autocomplete={isSecret ? 'off' : undefined}
      defaultValue={entries.map(([name, text]) => `${name}: ${text}`).join('\n')}
      onChange={({ currentTarget }) => onChange(mapOf(currentTarget.value))}
    />
  );
}

function mapOf(text: string): Record<string, string> | undefined {
  const entries = text
    .split('\n')
    .map((line) => /^\s*([^:]+?)\s*:\s*(.*?)\s*$/.exec(line))
    .flatMap((found) => (found ? [[found[1]!, found[2]!] as const] : []));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** For what no other field can show. */
function JsonMember({ value, onChange, common, isRequired }: MemberProps & { common: Labelled }) {
  const id = useId();
  return (
    <TextField
      {...common}
      key={id}
      hint={`${common.hint ?? ''} As JSON.`.trim()}
      required={isRequired}
      defaultValue={value === undefined ? '' : JSON.stringify(value, undefined, 2)}
      onChange={({ currentTarget }) => {
        const parsed = parse(currentTarget.value);
        currentTarget.setCustomValidity(parsed === INVALID ? 'This is not JSON.' : '');
        if (parsed !== INVALID) onChange(parsed);
      }}
    />
  );
}

const INVALID = Symbol('invalid');

function parse(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return INVALID;
  }
}

/** Without the marks of Markdown. */
const plain = (description: string): string => description.replaceAll('`', '');

/** What a form does not show at a field. */
export const otherIssues = (issues: Issues, at: readonly string[]): Issues =>
  issues.filter(({ pointer }) => !at.some((prefix) => pointer.startsWith(`${prefix}/`)));
