/** The public API of this domain; everything else is internal. */
export { ALERT_SUBJECT } from './alert-subject.ts';
export {
  type AlertAudience,
  audienceOf,
  type GroupsOnce,
  groupsOnce,
  isNamed,
  namedAmong,
  outsideOf,
  resolveAudience,
} from './resolve-audience.ts';
