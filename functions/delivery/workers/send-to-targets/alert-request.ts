import {
  alertRequests,
  isPublic,
  noticeText,
  type StoredRequest,
} from '../../../../shared/domains/alerts/evaluations/index.ts';
import { type AlertNotice, alertNotices, alertRepository } from '../../../../shared/domains/alerts/rules/index.ts';
import { openedFrom } from '../../../../shared/domains/alerts/sources/index.ts';
import type { DeliveryTarget } from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { readWorkspace } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { chatMessage } from '../../../../shared/platform/text/chat-message.ts';
import { markup } from '../../../../shared/platform/text/chat-text.ts';
import type { TargetRequests } from './send-target.ts';
import { paragraph, teamsMessage } from './teams-body.ts';

/** What alerts send to targets. Not every reader there may see protected rows, so nothing is sent of those. */
export function alertTargets(table: Table): TargetRequests<StoredRequest> {
  return {
    runs: alertRequests(table),
    async open({ workspaceId, deliveryId: alertId, runId: noticeId, userId: targetId }) {
      const [alert, notices, workspace] = await Promise.all([
        alertRepository(table).get(workspaceId, alertId),
        alertNotices(table).read(workspaceId, [{ alertId, noticeId }]),
        readWorkspace(table, workspaceId),
      ]);
      const target = alert?.targets?.find(({ id }) => id === targetId);
      const notice = notices.get(noticeId);
      if (!alert || !target || !notice || !workspace) return { status: 'skipped', reason: 'TARGET_REMOVED' };
      const { condition, classKey } = notice;
      const read = { alert: { ...alert, condition }, companyId: workspace.companyId, classKey };
      if (!(await isPublic(openedFrom(table), read))) return { status: 'skipped', reason: 'ROW_RIGHTS' };
      const id = idFrom('alert-request', noticeId, targetId);
      return { target, id, body: BODIES[target.type]({ id, notice, workspaceName: workspace.name }) };
    },
  };
}

interface Content {
  id: string;
  notice: AlertNotice;
  workspaceName: string;
}

const aboutOf = ({ notice: { severity }, workspaceName }: Content): string => `${severity} · ${workspaceName}`;

const BODIES: Record<DeliveryTarget['type'], (content: Content) => object> = {
  /** Unlike an event of a webhook, it has no member `event`. */
  webhook({ id, notice }) {
    const { workspaceId, alertId, name, severity, edge, state, value, condition, episodeId, at } = notice;
    const { operator, threshold = null } = condition;
    return {
      ...{ type: 'alert', id, workspaceId, alertId, name, severity, edge, state, value, operator, threshold },
      ...{ group: notice.group === '' ? null : notice.group, episodeId, at, text: noticeText(notice, false) },
      url: `/api/dashboard-alerts/${alertId}`,
    };
  },
  slack: (content) =>
    chatMessage({
      headline: markup`*${content.notice.name}*`,
      lines: [markup`${noticeText(content.notice, false)}`],
      about: markup`${aboutOf(content)}`,
    }),
  teams: (content) =>
    teamsMessage(
      [
        paragraph(content.notice.name, { weight: 'Bolder', size: 'Large' }),
        paragraph(noticeText(content.notice, false)),
        paragraph(aboutOf(content), { isSubtle: true }),
      ],
      null,
    ),
};
