import { defineGroup, section } from '../../group.ts';
import { examples as accessExamples } from './access/examples.ts';
import * as accessRoutes from './access/routes.ts';
import { examples as storyExamples } from './examples.ts';
import { examples as peopleExamples } from './people/examples.ts';
import * as peopleRoutes from './people/routes.ts';
import { resources } from './resources.ts';
import * as storyRoutes from './routes.ts';
import { examples as sectionExamples } from './sections/examples.ts';
import * as sectionRoutes from './sections/routes.ts';
import { examples as versionExamples } from './versions/examples.ts';
import * as versionRoutes from './versions/routes.ts';

export const group = defineGroup({
  name: 'stories',
  paths: ['/api/stories'],
  sections: [
    section(
      'Stories',
      'Texts with live numbers, in sections. Contributors work on a draft; readers see what was published.',
      { ...storyRoutes, ...versionRoutes, ...accessRoutes, ...peopleRoutes },
      { ...storyExamples, ...versionExamples, ...accessExamples, ...peopleExamples },
    ),
    section('Story sections', 'The sections of a story, their locks and their texts.', sectionRoutes, sectionExamples),
  ],
  resources,
});
