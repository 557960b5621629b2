/** The reference page: a viewer served from here, with no other host involved. */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; style-src 'unsafe-inline'; img-src data:; script-src 'self'; connect-src 'self'">
<title>Analytics platform – API reference</title>
<script type="module" src="docs/viewer.js"></script>
</head>
<body>
<rapi-doc
  spec-url="openapi.json"
  render-style="focused"
  theme="light"
  primary-color="#2458a6"
  load-fonts="false"
  regular-font="system-ui, sans-serif"
  mono-font="ui-monospace, monospace"
  show-header="false"
  show-method-in-nav-bar="as-colored-text"
  use-path-in-nav-bar="false"
  allow-authentication="true"
  allow-server-selection="false"
  persist-auth="false"
  schema-style="table"
></rapi-doc>
</body>
</html>
`;
