/** Checks pull requests and deploys the main branch; also in the guide of definitions. */
export const GITHUB_WORKFLOW = `name: analytics
on:
  pull_request:
  push:
    branches: [main]
concurrency: analytics-\${{ github.ref }}
jobs:
  analytics:
    runs-on: ubuntu-latest
    env:
      ANALYTICS_URL: \${{ vars.ANALYTICS_URL }}
      ANALYTICS_TOKEN: \${{ secrets.ANALYTICS_TOKEN }}
    steps:
      - uses: actions/checkout@v4
      - run: npx analytics validate
      - run: npx analytics diff --markdown >> "$GITHUB_STEP_SUMMARY" || [ $? -eq 3 ]
      - if: github.ref == 'refs/heads/main'
        run: npx analytics deploy --yes --commit "$GITHUB_SHA"
`;
