/** The public API of this domain; everything else is internal. */
export type { EvaluationDeps } from './deps.ts';
export { isPublic } from './fired-event.ts';
export { noticeText } from './notice-text.ts';
export { snoozeForPerson } from './personal-snoozes.ts';
export { type Preview, previewCondition } from './preview-condition.ts';
export { type AlertMessage, type AlertQueue, alertQueue, type Trigger } from './queue.ts';
export { alertRequests, type StoredRequest } from './send-to-targets.ts';
export { ALERT_TEXTS, type ShownNotice, showNotices } from './show-notices.ts';
export { workOnAlerts } from './work-on-message.ts';
