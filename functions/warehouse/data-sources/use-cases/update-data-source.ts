import { SOURCE_TYPES, type SourceSettings } from '../../../../shared/data/connectors/source-types.ts';
import {
  type DataSourceRepository,
  type StoredDataSource,
  unseal,
} from '../../../../shared/domains/warehouse/sources/index.ts';
import type { SecretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import { scheduleAfter, scheduleIssues } from '../../../../shared/platform/schedule/schedule.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { escapePointer } from '../../../../shared/platform/validation/json-pointer.ts';
import { shapeIssues } from '../../../../shared/platform/validation/shape-issues.ts';
import type { ExternalSettings } from '../connections.ts';
import type { DataSource, UpdateDataSource } from '../schemas.ts';
import type { CheckSettings } from './check-settings.ts';
import { findSource, showDataSource } from './read-data-sources.ts';

interface Deps {
  sources: DataSourceRepository;
  secrets: SecretBox;
  checkSettings: CheckSettings;
  now: () => Date;
}

interface Command {
  workspaceId: string;
  id: string;
  change: UpdateDataSource;
}

/**
 * Members of `config` and `secrets` replace those of the same name, and null removes one. The change applies to the
 * newest version of the source. Running work keeps its connections and secrets; later work uses the new ones.
 */
export function updateDataSource(deps: Deps, command: Command): Promise<DataSource> {
  return onNewest('STALE_WRITE', () => changeNewest(deps, command));
}

async function changeNewest(deps: Deps, command: Command): Promise<DataSource> {
  const current = await findSource(deps, command);
  const { name = current.name, config, secrets, schedule } = command.change;
  const before = await unseal(deps.secrets, current);
  const after = {
    type: current.type,
    config: merged(before.config, config),
    secrets: merged(before.secrets, secrets),
  } as SourceSettings;
  const scheduled = schedule ? scheduleIssues(schedule, '/schedule', current.schedule) : [];
  const issues = [...settingsIssues(after), ...addressIssues(before, after, secrets), ...scheduled];
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  if (after.type !== 'file' && (config || secrets)) await deps.checkSettings(after as ExternalSettings);
  const sealed =
    secrets === undefined
      ? {}
      : { sealedSecrets: await deps.secrets.seal(current.workspaceId, JSON.stringify(after.secrets)) };
  const updatedAt = later(current.updatedAt, deps.now());
  const times = schedule === undefined ? current.schedule : scheduleAfter(schedule, current.schedule);
  const next = { ...current, name, config: after.config, ...sealed, schedule: times, updatedAt } as StoredDataSource;
  return showDataSource(await deps.sources.replace(current, next, 'STALE_WRITE'));
}

function merged(before: object, change: Record<string, unknown> | undefined): Record<string, unknown> {
  const members = Object.entries({ ...before, ...change });
  return Object.fromEntries(members.filter(([, value]) => value !== null && value !== undefined));
}

function settingsIssues({ type, config, secrets }: SourceSettings): Issue[] {
  const shapes = SOURCE_TYPES[type];
  return [...shapeIssues(shapes.config, config, '/config'), ...shapeIssues(shapes.secrets, secrets, '/secrets')];
}

/** The settings that determine where secrets are sent. */
const ADDRESS = ['host', 'port', 'endpoint', 'region', 'baseUrl', 'ssl', 'caCertificate', 'auth', 'authHeader'];

/** A caller who may change the address must not thereby obtain the secrets of the former one. */
function addressIssues(
  before: SourceSettings,
  after: SourceSettings,
  sent: Record<string, unknown> | undefined,
): Issue[] {
  const value = ({ config }: SourceSettings, name: string) => (config as Record<string, unknown>)[name];
  const changed = ADDRESS.find((name) => value(before, name) !== value(after, name));
  const kept = Object.keys(before.secrets).filter((name) => sent?.[name] === undefined);
  if (changed === undefined || kept.length === 0) return [];
  if (sent === undefined) {
    return [{ pointer: '/secrets', code: 'REQUIRED', message: `are needed again because ${changed} changes` }];
  }
  return kept.map((name) => {
    const message = `is needed again because ${changed} changes; send null to remove it`;
    return { pointer: `/secrets/${escapePointer(name)}`, code: 'REQUIRED', message };
  });
}
