import type { Session } from '../../command.ts';
import type { Action, PlanLine } from '../../definitions/plan.ts';
import { nameOf } from '../../definitions/project.ts';
import { localTime, printable } from '../../output.ts';

export const SIGNS: Record<Action, [sign: string, color: 'green' | 'yellow' | 'red' | 'gray' | 'blue', words: string]> =
  {
    create: ['+', 'green', 'create'],
    change: ['~', 'yellow', 'change'],
    merge: ['~', 'yellow', 'merged with the platform'],
    refresh: ['·', 'gray', 'same content'],
    drift: ['!', 'red', 'drift'],
    conflict: ['!', 'red', 'conflict'],
    move: ['>', 'blue', 'move'],
    adopt: ['?', 'blue', 'not managed by files: adopt it'],
    elsewhere: ['!', 'red', 'not in this project'],
    gone: ['!', 'red', 'gone'],
    delete: ['-', 'red', 'delete'],
    publish: ['^', 'green', 'publish'],
    invalid: ['✕', 'red', 'invalid'],
  };

/** Those that a deployment leaves alone and reports, until it is asked to replace something. */
export const LEFT: readonly Action[] = ['drift', 'conflict', 'gone', 'elsewhere', 'adopt', 'publish'];

export function show({ terminal }: Session, line: PlanLine): void {
  if (terminal.isJson) return;
  const [sign, color] = SIGNS[line.action];
  const shown = detailsOf(line);
  terminal.out(
    `${terminal.paint(color, sign)} ${printable(nameOf(line))}${shown && `${line.to === undefined ? '   ' : ' '}${shown}`}`,
  );
  if (line.action === 'invalid') for (const issue of line.details) terminal.out(`    ${printable(issue)}`);
}

function detailsOf({ kind, action, details, to, isProposed, changedBy, changedAt }: PlanLine): string {
  const who = changedBy ? ` (${printable(changedBy)}, ${localTime(changedAt)})` : '';
  const shown = action === 'invalid' ? '' : `${details.map(printable).join(', ')}${who}`;
  if (to !== undefined) return `→ ${kind}/${to}${isProposed ? ', which has the same content' : ''}`;
  return action === 'change' || action === 'create' ? shown : [SIGNS[action][2], shown].filter(Boolean).join(': ');
}

export const forPrograms = ({ file, ...line }: PlanLine) => ({ ...line, path: file?.path ?? null });

/** How a summary counts each action, whether one or several. */
const COUNTED: Readonly<Record<Action, string>> = {
  create: 'to create',
  change: 'to change',
  merge: 'to merge',
  delete: 'to delete',
  adopt: 'to adopt',
  move: 'to move',
  publish: 'to publish',
  refresh: 'with the same content',
  drift: 'drifted',
  conflict: 'in conflict',
  elsewhere: 'of another project',
  gone: 'deleted on the platform',
  invalid: 'invalid',
};

export function summaryOf(lines: readonly PlanLine[]): string {
  const counts = new Map<Action, number>();
  for (const { action } of lines) counts.set(action, (counts.get(action) ?? 0) + 1);
  const parts = [...counts].map(([action, count]) => `${count} ${COUNTED[action]}`);
  return parts.length === 0 ? 'Nothing has changed.' : parts.join(' · ');
}

export function print(session: Session, lines: readonly PlanLine[]): void {
  const { terminal } = session;
  if (terminal.isJson) {
    terminal.out(JSON.stringify({ lines: lines.map(forPrograms) }));
    return;
  }
  for (const line of lines) show(session, line);
  terminal.note(summaryOf(lines));
}

/** The plan as a table, such as for the summary of a job of a CI. */
export function printMarkdown({ terminal, target }: Session, project: string, lines: readonly PlanLine[]): void {
  const title = `### ${cell(project)} → ${cell(target.name ?? target.url)}`;
  const rows = lines.map((line) => {
    const issues = line.action === 'invalid' ? `: ${line.details.join('; ')}` : '';
    return `| ${SIGNS[line.action][0]} | ${cell(nameOf(line))} | ${cell(detailsOf(line) + issues)} |`;
  });
  const table = rows.length === 0 ? [] : ['', '|   | Object | Change |', '| - | ------ | ------ |', ...rows];
  terminal.out([title, ...table, '', summaryOf(lines)].join('\n'));
}

/** Names and values must not end their cell, nor be read as a link or a tag. */
const cell = (text: string): string =>
  printable(text).replaceAll(/[\\|<>&[\]`*_]/g, (sign) => `&#${sign.charCodeAt(0)};`);
