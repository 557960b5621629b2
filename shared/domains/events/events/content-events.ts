import * as Type from 'typebox';
import { Id, Name, Nullable, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { defineEvent, Link } from './define-event.ts';

/** The user who did it; null if a schedule or the platform did. */
const Actor = Nullable(Id);
const Count = Type.Integer({ minimum: 0 });

const model = { modelId: Id, modelName: Name };
const dashboard = { dashboardId: Id, dashboardName: Name };
const report = { reportId: Id, reportName: Name };
const grant = {
  resourceType: Type.String({ maxLength: 50, description: 'Such as `dashboard` or `story`.' }),
  resourceId: Id,
  resourceName: Name,
  granteeType: StringEnum(['user', 'group']),
  granteeId: Id,
  permission: Type.String({ maxLength: 50 }),
};

/** Events of the life cycle of content, and of access to it. */
export const CONTENT_EVENTS = {
  'model.created': defineEvent('a data model is created', {
    ...model,
    createdBy: Actor,
    createdAt: Timestamp,
    url: Link,
  }),
  'model.published': defineEvent('a data model is published', {
    ...model,
    version: Type.Integer({ minimum: 1 }),
    publishedBy: Actor,
    publishedAt: Timestamp,
    url: Link,
  }),

  'dashboard.created': defineEvent('a dashboard is created', {
    ...dashboard,
    createdBy: Actor,
    createdAt: Timestamp,
    url: Link,
  }),
  'dashboard.published': defineEvent('a dashboard is published', {
    ...dashboard,
    publishedBy: Actor,
    publishedAt: Timestamp,
    url: Link,
  }),
  'dashboard.deleted': defineEvent('a dashboard is deleted', {
    ...dashboard,
    deletedBy: Actor,
    deletedAt: Timestamp,
  }),

  'report.deleted': defineEvent('a report is deleted', { ...report, deletedBy: Actor, deletedAt: Timestamp }),
  'report.delivered': defineEvent('a scheduled report delivery completes', {
    ...report,
    scheduleId: Id,
    runId: Id,
    status: StringEnum(['succeeded', 'partial', 'failed']),
    recipientCount: Count,
    failedRecipientCount: Count,
    scheduledFor: Timestamp,
    deliveredAt: Timestamp,
    url: Link,
  }),

  'access.granted': defineEvent('access to a resource is granted, or its permission changes', {
    ...grant,
    grantedBy: Actor,
    grantedAt: Timestamp,
    url: Link,
  }),
  'access.revoked': defineEvent('access to a resource is revoked', {
    ...grant,
    revokedBy: Actor,
    revokedAt: Timestamp,
    url: Link,
  }),

  'story.shared': defineEvent('a story is shared in a chat channel; it goes only to that webhook', {
    storyId: Id,
    storyTitle: Name,
    summary: Nullable(Type.String({ maxLength: 2000 })),
    note: Nullable(Type.String({ maxLength: 1000 })),
    sharedBy: Id,
    sharedByName: Type.String({ maxLength: 320 }),
    pageUrl: Type.String({ maxLength: 2048, description: 'The page of the story.' }),
    url: Link,
  }),
} as const;
