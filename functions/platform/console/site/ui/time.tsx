import { ageOf } from '../../../browser/age.ts';

/** A moment as its age, with the full time as a tip. */
export const Ago = ({ at }: { at: string }) => (
  <time datetime={at} title={new Date(at).toLocaleString()}>
    {ageOf(at)}
  </time>
);
