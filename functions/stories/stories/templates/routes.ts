import { defineRoute } from '../../../../shared/platform/http/route.ts';
import {
  CreatedTemplate,
  CreateTemplate,
  StoryTemplate,
  StoryTemplatePage,
  TemplateListQuery,
  TemplateParams,
} from './schemas.ts';

export const listStoryTemplates = defineRoute({
  operationId: 'listStoryTemplates',
  method: 'GET',
  path: '/api/stories/templates',
  summary: 'List templates of stories',
  description: 'Lists the built-in templates first, then those of the workspace by name.',
  permission: 'stories:read',
  query: TemplateListQuery,
  success: { status: 200, body: StoryTemplatePage },
  errors: ['OFFSET_TOO_LARGE'],
});

export const createStoryTemplate = defineRoute({
  operationId: 'createStoryTemplate',
  method: 'POST',
  path: '/api/stories/templates',
  summary: 'Create a template from a story',
  description:
    'Live blocks become slots, and neither inline values nor mentions are kept. Sections with the visibility `data_access` are left out, because every member can read the template; `omitted` lists them.',
  permission: 'stories:write',
  body: CreateTemplate,
  success: { status: 201, body: CreatedTemplate },
  errors: ['STORY_NOT_FOUND', 'STORY_TEMPLATE_NAME_TAKEN', 'TOO_MANY_STORY_TEMPLATES'],
  idempotent: true,
  audit: 'story_template.created',
});

export const getStoryTemplate = defineRoute({
  operationId: 'getStoryTemplate',
  method: 'GET',
  path: '/api/stories/templates/{templateId}',
  summary: 'Get a template of stories',
  permission: 'stories:read',
  params: TemplateParams,
  success: { status: 200, body: StoryTemplate },
  errors: ['STORY_TEMPLATE_NOT_FOUND'],
});

export const deleteStoryTemplate = defineRoute({
  operationId: 'deleteStoryTemplate',
  method: 'DELETE',
  path: '/api/stories/templates/{templateId}',
  summary: 'Delete a template of stories',
  description:
    'Only the author of the template and admins can delete it. Built-in templates cannot be deleted. Stories that were created from the template stay as they are.',
  permission: 'stories:write',
  params: TemplateParams,
  success: { status: 204 },
  errors: ['STORY_TEMPLATE_NOT_FOUND'],
  audit: 'story_template.deleted',
});
