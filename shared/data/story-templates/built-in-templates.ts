import type { Block, RichNode, RichText } from '../rich-text/index.ts';
import { bullets, callout, heading, hint, paragraph, slot, steps, table } from './building.ts';

export interface TemplateSection {
  title: string;
  content: RichText;
}

export interface StoryTemplate {
  /** A fixed name, by which clients refer to it. */
  id: string;
  name: string;
  description: string;
  sections: readonly TemplateSection[];
}

/** Sections with ids of blocks that are unique within the template. */
function sectionsOf(sections: Record<string, readonly RichNode[]>): TemplateSection[] {
  let count = 0;
  const withId = ({ type, attrs, ...rest }: RichNode): Block => {
    count += 1;
    return { type, attrs: { id: `block-${count}`, ...attrs }, ...rest } as Block;
  };
  return Object.entries(sections).map(([title, nodes]) => ({
    title,
    content: { type: 'doc', content: nodes.map(withId) },
  }));
}

export const BUILT_IN_TEMPLATES: readonly StoryTemplate[] = [
  {
    id: 'weekly-business-review',
    name: 'Weekly business review',
    description: 'What happened this week, why, and what follows from it.',
    sections: sectionsOf({
      Summary: [
        callout('info', 'The week in two sentences: the one number that matters, and the one decision that is needed.'),
        slot('The main metric, by week'),
        slot('The main metric against its target'),
      ],
      'What changed': [
        hint('Name what moved more than usual, by how much, and in which part of the business.'),
        slot('Change against last week, by region or product'),
        bullets(
          'The largest increase, and its cause',
          'The largest decrease, and its cause',
          'What looks like a change but is noise',
        ),
      ],
      'What is ahead': [
        hint('What next week will bring that the numbers do not show yet.'),
        slot('Forecast or pipeline'),
        bullets('A risk, and the first sign of it', 'An opportunity, and who is pursuing it'),
      ],
      'Decisions and actions': [
        table(['Action', 'Owner', 'Due'], ['', '', ''], ['', '', '']),
        heading('From last week'),
        bullets('What was done, and what was not'),
      ],
    }),
  },
  {
    id: 'metric-deep-dive',
    name: 'Metric deep dive',
    description: 'Why a metric moved: its drivers, segment by segment, and what would change it.',
    sections: sectionsOf({
      Question: [
        hint('The question in one sentence, who asked it, and which decision depends on the answer.'),
        slot('The metric, over the last year'),
        callout('info', 'The answer in one sentence. Write it last.'),
      ],
      Definition: [
        hint('What the metric counts and leaves out, and since when. Note any change in how it is measured.'),
        bullets('What it includes', 'What it does not include', 'Known gaps in the data'),
      ],
      Drivers: [
        hint('Split the change into its parts. The parts should add up to the whole.'),
        slot('Change by segment'),
        slot('Volume and rate, separately'),
        steps('The driver that explains most of the change', 'The next one', 'What remains unexplained'),
      ],
      'What we ruled out': [
        table(
          ['Explanation', 'Evidence against it'],
          ['Seasonality', ''],
          ['A change in tracking', ''],
          ['A single large customer', ''],
        ),
        slot('The same period in earlier years'),
      ],
      'What follows': [
        hint('What to do, what it should change, and when we would see it.'),
        bullets('Recommendation', 'What would change our mind'),
      ],
    }),
  },
  {
    id: 'experiment-read-out',
    name: 'Experiment read-out',
    description: 'What was tested, what the result is, how sure we are, and what happens next.',
    sections: sectionsOf({
      Decision: [
        callout('success', 'Ship, stop or continue, in one sentence, with the reason.'),
        slot('Effect on the main metric, with its confidence interval'),
      ],
      Setup: [
        table(
          ['', ''],
          ['Hypothesis', ''],
          ['Who saw it', ''],
          ['Main metric', ''],
          ['Smallest effect worth having', ''],
          ['Start and end', ''],
        ),
        hint('Write down what was decided before the start. Note every deviation from the plan.'),
      ],
      Results: [
        hint('Start with the main metric. Then list what must not get worse.'),
        slot('Main metric by variant'),
        slot('Guardrail metrics by variant'),
        slot('Participants by variant and day'),
        bullets(
          'Was the split as planned?',
          'Did the effect last, or was it a novelty effect?',
          'Is it the same in the segments that matter?',
        ),
      ],
      'What we learned': [
        hint('What we know now that we did not know before, even if there was no effect.'),
        bullets('About our customers', 'About how we test'),
      ],
      'Next steps': [table(['Step', 'Owner', 'Due'], ['', '', ''], ['', '', ''])],
    }),
  },
  {
    id: 'incident-review',
    name: 'Incident review',
    description: 'What happened, what it cost, why it could happen, and what prevents the next one. Blameless.',
    sections: sectionsOf({
      Summary: [
        hint('What customers noticed, from when to when, and how it ended. Two sentences.'),
        slot('The affected metric, around the incident'),
        table(['', ''], ['Severity', ''], ['Start', ''], ['Noticed', ''], ['End', ''], ['Customers affected', '']),
      ],
      Timeline: [
        hint('What was seen and done, in order, with times. No names where a role is enough.'),
        table(['Time', 'What happened'], ['', ''], ['', ''], ['', '']),
      ],
      Impact: [
        slot('Failed requests or orders'),
        slot('Revenue compared with a normal day'),
        bullets('Customers', 'Revenue', 'Data: what is missing or wrong, and since when'),
      ],
      'Why it happened': [
        hint('Several things had to come together. Name each one, and why it seemed right at the time.'),
        steps('What triggered it', 'What let it spread', 'Why it was not noticed earlier'),
        callout('warning', 'What went well, and where we were lucky.'),
      ],
      Actions: [
        paragraph('Each action has an owner and a date, and says what it prevents, detects or shortens.'),
        table(['Action', 'Prevents, detects or shortens', 'Owner', 'Due'], ['', '', '', ''], ['', '', '', '']),
      ],
    }),
  },
  {
    id: 'launch-report',
    name: 'Launch report',
    description: 'How a launch went against its goals, after a day, a week and a month.',
    sections: sectionsOf({
      'At a glance': [
        callout('info', 'Is it going as planned? One sentence, and the number behind it.'),
        slot('Adoption since the launch'),
        table(['Goal', 'Target', 'Now'], ['', '', ''], ['', '', ''], ['', '', '']),
      ],
      'Who uses it': [
        hint('Who came, who stayed, and who was expected but did not come.'),
        slot('Users by segment'),
        slot('Retention by week of first use'),
      ],
      'What it changed': [
        hint('The effect on the business, and on what existed before.'),
        slot('Revenue or main metric, before and after'),
        slot('Use of what it replaces'),
        bullets('What it added', 'What it took from elsewhere'),
      ],
      'What people say': [
        hint('Quotes, tickets and reviews, the most critical first.'),
        slot('Support tickets about the launch'),
      ],
      'What is next': [bullets('What we fix now', 'What we stop', 'What we look at in the next report')],
    }),
  },
  {
    id: 'board-update',
    name: 'Board update',
    description: 'The state of the company in a few pages: results, outlook, risks, and requests to the board.',
    sections: sectionsOf({
      'What we ask of you': [
        callout('info', 'The decisions and advice that we need, one line each.'),
        bullets('Decision', 'Advice', 'Introduction'),
      ],
      Results: [
        hint('The quarter against plan. Report misses as plainly as successes.'),
        slot('Revenue against plan'),
        slot('Net retention'),
        slot('Gross margin'),
        table(
          ['', 'Plan', 'Actual', 'Last year'],
          ['Revenue', '', '', ''],
          ['Operating result', '', '', ''],
          ['Cash', '', '', ''],
        ),
      ],
      'Customers and product': [
        slot('Customers won and lost'),
        bullets(
          'The most important win, and why',
          'The most important loss, and why',
          'What we shipped, and what it changed',
        ),
      ],
      'People and cash': [
        slot('Headcount against plan'),
        slot('Cash and runway'),
        bullets('Open leadership roles', 'Changes to the plan'),
      ],
      'Outlook and risks': [
        slot('Forecast'),
        table(['Risk', 'Likelihood', 'What we do about it'], ['', '', ''], ['', '', ''], ['', '', '']),
      ],
    }),
  },
];
