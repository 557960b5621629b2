import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { issueOf, issueOfChoices } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { to } from '../../ui/address.ts';
import { bound } from '../../ui/bound.ts';
import { Field, SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';

const MAX_TEMPLATES = 100;

export default function NewStory() {
  const { route } = useLocation();
  const title = useSignal('');
  const templateId = useSignal('');
  const templates = useQuery(['stories', 'templates'], () => api.stories.listTemplates({ limit: MAX_TEMPLATES }));
  const create = useAction(async () => {
    const text = title.peek().trim();
    const made = await api.stories.create({
      ...(text && { title: text }),
      ...(templateId.peek() ? { templateId: templateId.peek() } : { sections: [{ title: null }] }),
    });
    void refreshQueries(['stories']);
    route(to(`/stories/${made.id}`));
  });
  const { problem } = create;
  return (
    <Page title="New story">
      <Form
        action="Begin writing"
        submit={() => create.run()}
        isBusy={create.isRunning}
        problem={issueOf(problem, 'title') ? undefined : problem}
      >
        <Field
          label="Title"
          autofocus
          maxLength={200}
          placeholder="Revenue of the week"
          issue={issueOf(problem, 'title')}
          {...bound(title)}
        />
        <SelectField label="Begin with" issue={issueOfChoices(templates.error)} {...bound(templateId)}>
          <option value="">an empty section</option>
          {templates.data?.items.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </Form>
    </Page>
  );
}
