import { type LiveSource, liveBlocksOf } from '../../../../shared/data/rich-text/index.ts';
import {
  asTemplate,
  type StoryTemplate as BuiltIn,
  fromTemplate,
  loadBuiltInTemplates,
} from '../../../../shared/data/story-templates/index.ts';
import { ChartSpec } from '../../../../shared/domains/boards/charts/index.ts';
import { actedOn, storyPlaceOf } from '../../../../shared/domains/stories/stories/index.ts';
import {
  MAX_TEMPLATES,
  type TemplateContent,
  type TemplateRecord,
  type TemplateRepository,
} from '../../../../shared/domains/stories/templates/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { MAX_OFFSET } from '../../../../shared/platform/storage/list-request.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { type PageOf, pageOf } from '../../../../shared/platform/storage/page.ts';
import { shapeIssues } from '../../../../shared/platform/validation/shape-issues.ts';
import type { CreateStory } from '../schemas.ts';
import type { StoryDeps } from '../use-cases/context.ts';
import type { CreatedTemplate, CreateTemplate, StoryTemplate, StoryTemplateSummary } from './schemas.ts';

export interface TemplateDeps extends StoryDeps {
  templates: TemplateRepository;
}

interface NamedTemplate {
  principal: Principal;
  templateId: string;
}

/** The built-in templates first, then those of the workspace by name. Throws `OFFSET_TOO_LARGE`. */
export async function listTemplates(
  { templates }: Pick<TemplateDeps, 'templates'>,
  { workspaceId }: Principal,
  request: { limit: number; offset: number },
): Promise<PageOf<StoryTemplateSummary>> {
  if (request.offset > MAX_OFFSET) throw new AppError('OFFSET_TOO_LARGE');
  const [builtIns, own] = await Promise.all([loadBuiltInTemplates(), templates.readAll(workspaceId)]);
  const sorted = own.map(ownSummary).sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1));
  return pageOf([...builtIns.map(builtInSummary), ...sorted], request, (template) => template);
}

const builtInSummary = ({ id, name, description, sections }: BuiltIn): StoryTemplateSummary => ({
  ...{ id, name, description },
  isBuiltIn: true,
  sectionCount: sections.length,
  createdBy: null,
  createdAt: null,
});

const ownSummary = (record: TemplateRecord): StoryTemplateSummary => {
  const { id, name, description, sectionCount, createdBy, createdAt } = record;
  return { id, name, description, isBuiltIn: false, sectionCount, createdBy, createdAt };
};

const builtIn = async (templateId: string): Promise<BuiltIn | undefined> =>
  (await loadBuiltInTemplates()).find(({ id }) => id === templateId);

/** Throws `STORY_TEMPLATE_NOT_FOUND`. */
export async function getTemplate(
  { templates }: Pick<TemplateDeps, 'templates'>,
  { principal: { workspaceId }, templateId }: NamedTemplate,
): Promise<StoryTemplate> {
  const known = await builtIn(templateId);
  if (known) return { ...builtInSummary(known), sections: copied(known.sections) };
  const record = await templates.get(workspaceId, templateId);
  if (!record) throw new AppError('STORY_TEMPLATE_NOT_FOUND');
  return { ...ownSummary(record), sections: copied(await templates.readSections(record)) };
}

const copied = (sections: TemplateContent): StoryTemplate['sections'] =>
  sections.map(({ title, content }) => ({ title, content }));

/** Throws `STORY_NOT_FOUND`, `STORY_TEMPLATE_NAME_TAKEN` or `TOO_MANY_STORY_TEMPLATES`. */
export const createTemplate = (deps: TemplateDeps, command: NewTemplateCommand): Promise<CreatedTemplate> =>
  onNewest('STALE_WRITE', () => copyStory(deps, command));

interface NewTemplateCommand {
  id: string;
  principal: Principal;
  template: CreateTemplate;
}

/** Throws `STALE_WRITE` if the story, and so who may see a section, has changed meanwhile. */
async function copyStory(
  deps: TemplateDeps,
  { id, principal, template: { storyId, name, description } }: NewTemplateCommand,
): Promise<CreatedTemplate> {
  const { workspaceId, userId } = principal;
  const { state } = await actedOn(deps, { principal, id: storyId }, 'editor');
  if ((await loadBuiltInTemplates()).some((each) => each.name.toLowerCase() === name.toLowerCase())) {
    throw new AppError('STORY_TEMPLATE_NAME_TAKEN');
  }
  const others = (await deps.templates.readAll(workspaceId)).filter((each) => each.id !== id);
  if (others.length >= MAX_TEMPLATES) throw new AppError('TOO_MANY_STORY_TEMPLATES');
  // Every member reads a template, also those who may not see the rows that such a section is about.
  const open = state.sections.filter(({ visibility }) => visibility === 'everyone');
  const sections = (await deps.store.withContents(storyPlaceOf(state.record), open)).map(({ title, content }) => ({
    title,
    content: asTemplate(content),
  }));
  const at = deps.now().toISOString();
  const stamps = { createdBy: userId, updatedBy: userId, createdAt: at, updatedAt: at };
  const record = await deps.templates.create({ id, workspaceId, name, description, ...stamps }, sections, [
    deps.store.unchangedItem(state.record),
  ]);
  return {
    ...ownSummary(record),
    sections: copied(await deps.templates.readSections(record)),
    omitted: state.sections
      .filter((section) => !open.includes(section))
      .map(({ id: sectionId }) => ({ sectionId, reason: 'DATA_ACCESS' })),
  };
}

/** Throws `STORY_TEMPLATE_NOT_FOUND`, and `FORBIDDEN` for a built-in template and that of another person. */
export async function deleteTemplate(
  { templates }: Pick<TemplateDeps, 'templates'>,
  { principal: { workspaceId, userId, role }, templateId }: NamedTemplate,
): Promise<void> {
  if (await builtIn(templateId)) throw new AppError('FORBIDDEN', { detail: 'Built-in templates cannot be deleted.' });
  await onNewest('STALE_WRITE', async () => {
    const record = await templates.get(workspaceId, templateId);
    if (!record) throw new AppError('STORY_TEMPLATE_NOT_FOUND');
    if (record.createdBy !== userId && role !== 'admin') {
      throw new AppError('FORBIDDEN', { detail: 'Only its author and admins can delete the template.' });
    }
    await templates.remove(record);
  });
}

/**
 * What a new story gets from the template that it names: its name as the title, and its sections. Throws
 * `VALIDATION_FAILED` if there is no such template or slot, or if the request has sections of its own.
 */
export async function withTemplate(
  { templates }: Pick<TemplateDeps, 'templates'>,
  principal: Principal,
  { templateId, slots, ...story }: CreateStory,
): Promise<Omit<CreateStory, 'slots'>> {
  if (templateId === undefined) {
    if (slots.length === 0) return story;
    const message = 'must be omitted without `templateId`, because only templates have slots';
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/slots', code: 'CONFLICT', message }] });
  }
  if (story.sections.length > 0) {
    const message = 'must be omitted with `templateId`, whose sections the story gets';
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/sections', code: 'CONFLICT', message }] });
  }
  const template = await getTemplate({ templates }, { principal, templateId }).catch((cause: unknown) => {
    if (!(cause instanceof AppError) || cause.code !== 'STORY_TEMPLATE_NOT_FOUND') throw cause;
    const message = 'is not the id of a template; list templates with GET /api/stories/templates';
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/templateId', code: 'UNKNOWN', message }], cause });
  });
  assertSlots(slots, template);
  const sources = new Map(slots.map(({ blockId, source }) => [blockId, source as LiveSource]));
  const sections = template.sections.map(({ title, content }) => ({
    title,
    content: fromTemplate(content, () => newId(), sources),
  }));
  return { ...story, title: story.title ?? template.name, sections };
}

/** Throws `VALIDATION_FAILED` for slots that the template does not have or that are named twice, and for charts. */
function assertSlots(slots: CreateStory['slots'], { sections }: Pick<StoryTemplate, 'sections'>): void {
  const known = new Set(
    sections.flatMap(({ content }) =>
      liveBlocksOf(content).flatMap(({ blockId, part: { source } }) => (source.kind === 'slot' ? blockId : [])),
    ),
  );
  const errors = slots.flatMap(({ blockId, source }, index): Issue[] => {
    const issues =
      source.kind === 'chart' ? shapeIssues(ChartSpec, source.chartSpec, `/slots/${index}/source/chartSpec`) : [];
    const pointer = `/slots/${index}/blockId`;
    if (!known.has(blockId)) return [{ pointer, code: 'UNKNOWN', message: 'is not the id of a slot of the template' }];
    const isRepeated = slots.findIndex((each) => each.blockId === blockId) < index;
    return isRepeated ? [{ pointer, code: 'DUPLICATE', message: 'is already in the list' }, ...issues] : issues;
  });
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}
