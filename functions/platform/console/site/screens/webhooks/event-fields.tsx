import { eventNames } from '../../data/event-names.ts';
import { CheckField } from '../../ui/field.tsx';

const ALL = '*';
/** They go only to the webhook they are about, whatever it subscribes to. */
const OWN = ['webhook.test', 'story.shared'];
const CHOICES = Object.entries(eventNames).filter(([name]) => !OWN.includes(name));

interface EventFieldsProps {
  value: readonly string[];
  onChange(events: string[]): void;
  issue?: string | undefined;
}

/** Which events a webhook receives. */
export function EventFields({ value, onChange, issue }: EventFieldsProps) {
  const isAll = value.includes(ALL);
  const groups = Map.groupBy(CHOICES, ([name]) => name.split('.')[0]!);
  const others = value.filter((name) => name !== ALL && eventNames[name] === undefined);
  const toggle = (name: string) =>
    onChange(value.includes(name) ? value.filter((each) => each !== name) : [...value, name]);
  return (
    <fieldset class="field-group events">
      <legend>Events</legend>
      {issue !== undefined && <p class="issue">{issue}</p>}
      <CheckField
        label="All events"
        hint="Including events that later versions add."
        checked={isAll}
        onChange={() => onChange(isAll ? [] : [ALL])}
      />
      {!isAll &&
        [...groups].map(([group, events]) => (
          <div key={group}>
            {events.map(([name, when]) => (
              <CheckField
                key={name}
                label={name}
                hint={when}
                checked={value.includes(name)}
                onChange={() => toggle(name)}
              />
            ))}
          </div>
        ))}
      {!isAll &&
        others.map((name) => (
          <CheckField
            key={name}
            label={name}
            hint="The platform has no event of this name."
            checked
            onChange={() => toggle(name)}
          />
        ))}
    </fieldset>
  );
}
