/** The public API of this domain; everything else is internal. */
export { ACCESS_CLEAN_UP_PARTITION, cleanUpItem, cleanUpItemAt, cleanUpNow, type Ended } from './clean-up.ts';
