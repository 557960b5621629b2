import { ageOf } from '../../../browser/age.ts';
import { momentText } from './moment.ts';

/** A moment as its age, with the full time as a tip. */
export const Ago = ({ at }: { at: string }) => (
  <time datetime={at} title={momentText(at)}>
    {ageOf(at)}
  </time>
);

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A moment to come as the time until then, with the full time as a tip. */
export const Until = ({ at }: { at: string }) => {
  const seconds = (Date.parse(at) - Date.now()) / 1000;
  const [unit, size] = UNITS.find((each) => seconds >= each[1]) ?? ['minute', 60];
  return (
    <time datetime={at} title={momentText(at)}>
      {seconds < size ? 'within a minute' : RELATIVE.format(Math.floor(seconds / size), unit)}
    </time>
  );
};
