import type { Write } from '../../support/crash.ts';

const isTransaction = ({ command }: Write) => command.startsWith('Transact');
const isUpdate = ({ command }: Write) => command.startsWith('Update');
const textOf = ({ input }: Write) => JSON.stringify(input);
const keyOf = ({ input }: Write) => ('Key' in input && typeof input.Key === 'string' ? input.Key : '');
/** Of the load's own step, which is called `keep`. */
const staged = (write: Write, ofLoad: boolean) =>
  /^staging\/.*\.parquet$/.test(keyOf(write)) && keyOf(write).includes('/keep/') === ofLoad;

/** Where the worker of a run can die, in the order of a run's life. */
export const CRASH_POINTS = {
  /** The run is admitted and stored. */
  admit: (write) => isTransaction(write) && /"entity":"occasion"/.test(textOf(write)),
  /** The steps are written and the run is running. */
  start: (write) => isTransaction(write) && /"entity":"step"/.test(textOf(write)),
  /** An execution that is to be started takes a slot. */
  slot: (write) => isUpdate(write) && /SET #held/.test(textOf(write)),
  /** An execution is started for a step. */
  launch: ({ command }) => command === 'StartExecution',
  /** A worker takes a step. */
  claim: (write) => isTransaction(write) && /#leaseUntil/.test(textOf(write)) && !isSettling(write),
  /** A step's rows are stored. */
  stage: (write) => staged(write, false),
  /** Rows are parted by the gates. */
  gate: (write) => staged(write, true),
  /** The dataset that is to be made is noted, so that what is stored for it will be found. */
  'storage-stats': (write) => isTransaction(write) && /dataset-storage-stats/.test(textOf(write)) && !isCommit(write),
  /** The dataset's own files are stored. */
  files: (write) => /\/datasets\//.test(keyOf(write)),
  /** The new version becomes visible. */
  commit: (write) => isCommit(write),
  /** The attempt's end is written. */
  settle: (write) => isSettling(write),
  /** A step that waits learns that another one is over. */
  release: (write) => isUpdate(write) && /DELETE #pending/.test(textOf(write)),
  /** A step that waited for several becomes ready. */
  ready: (write) => isUpdate(write) && /#readyAt/.test(textOf(write)),
  /** The run is over and gives its slot back. */
  end: (write) => isTransaction(write) && /ADMISSION/.test(textOf(write)) && /#finishedAt/.test(textOf(write)),
  /** The execution gives its slot back. */
  leave: (write) => isUpdate(write) && /REMOVE #held/.test(textOf(write)),
} satisfies Record<string, (write: Write) => boolean>;

export type CrashPoint = keyof typeof CRASH_POINTS;
export const CRASH_POINT_NAMES = Object.keys(CRASH_POINTS) as CrashPoint[];

function isSettling(write: Write): boolean {
  return isTransaction(write) && /#execution_seconds/.test(textOf(write));
}

function isCommit(write: Write): boolean {
  return isTransaction(write) && /"entity":"load"/.test(textOf(write));
}

export const isAt = (point: CrashPoint, write: Write): boolean => CRASH_POINTS[point](write);
