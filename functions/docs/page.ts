/** The reference page: a viewer served from here, with no other host involved. */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; style-src 'unsafe-inline'; img-src data:; script-src 'self'; connect-src 'self'">
<title>Analytics platform – API reference</title>
<script type="module" src="docs/viewer.js"></script>
<style>
  body { margin: 0; font-family: system-ui, sans-serif; }
  openapi-explorer { --font-regular: system-ui, sans-serif; --font-mono: ui-monospace, monospace; }
</style>
</head>
<body>
<openapi-explorer
  spec-url="openapi.json"
  primary-color="#2458a6"
  table
  hide-server-selection
>
  <div slot="overview">
    <h1>Analytics platform</h1>
    <p>Sign in with <code>POST /api/auth/login</code> or make an API key, put it into <em>Authentication</em>, and try any
    operation from this page.</p>
  </div>
</openapi-explorer>
</body>
</html>
`;
