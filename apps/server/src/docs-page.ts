import { staticDocument } from '@fairlead/http'
import type { Page } from '@fairlead/rest-adapter'
import { readBrowserFile } from './browser-files.ts'
import { contentPolicy, htmlResponses, staticPage } from './pages.ts'

/** `GET /docs`: the OpenAPI document in Swagger UI, from local files alone. */
export function docsPages(): readonly Page[] {
  // Swagger UI sets styles through the DOM, and has its icons as data URLs.
  const headers = { 'Content-Security-Policy': contentPolicy(), 'Cache-Control': 'no-cache, no-transform' }
  return [
    {
      path: '/docs',
      description: {
        operationId: 'docs',
        summary: 'Returns the API reference as a web page.',
        description: 'Every operation can be tried there. Needs no credential. Free of charge.',
        responses: htmlResponses,
      },
      respond: staticPage(headers, () => staticDocument(html, 'text/html; charset=utf-8')),
    },
    file('swagger-ui.css', css, () => readBrowserFile('swagger-ui-dist/swagger-ui.css')),
    file('swagger-ui-bundle.js', javascript, () => readBrowserFile('swagger-ui-dist/swagger-ui-bundle.js')),
    file('favicon-32x32.png', 'image/png', () => readBrowserFile('swagger-ui-dist/favicon-32x32.png')),
    file('reference.css', css, () => style),
    file('reference.js', javascript, () => script),
  ]
}

const css = 'text/css; charset=utf-8'
const javascript = 'text/javascript; charset=utf-8'

function file(name: string, contentType: string, load: () => string | Promise<Buffer>): Page {
  const headers = { 'Cache-Control': 'public, max-age=3600, no-transform' }
  return { path: `/docs/${name}`, respond: staticPage(headers, async () => staticDocument(await load(), contentType)) }
}

/** Addresses are relative, so that the page works behind a proxy that adds a path. */
const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Fairlead: reference</title>
    <link rel="icon" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/reference.css">
  </head>
  <body>
    <div id="reference"><p class="loading">Loading the reference …</p></div>
    <noscript><p class="loading">The reference needs JavaScript. The document itself: <a href="openapi.json">openapi.json</a>.</p></noscript>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/reference.js"></script>
  </body>
</html>
`

/** Removes whitespace, and the box around a list of one server. */
const style = `body { margin: 0 }
.loading { font-family: sans-serif; margin: 3rem; text-align: center }
.swagger-ui .info { margin: 2rem 0 1rem }
.swagger-ui .scheme-container { box-shadow: none; padding: 0.5rem 0 }
.swagger-ui .scheme-container .servers-title,
.swagger-ui .scheme-container .servers { display: none }
`

/** Runs in the browser. Requests go to the origin of the page. The page stores an API key nowhere. */
const script = `'use strict'
const home = new URL('.', location.href)
fetch(new URL('openapi.json', home))
  .then((answer) => answer.json())
  .then((document) => {
    // No script may send the cookie: the browser does so by itself.
    delete document.components.securitySchemes.sessionCookie
    SwaggerUIBundle({
      spec: { ...document, servers: [{ url: home.href.replace(/\\/$/, '') }] },
      dom_id: '#reference',
      deepLinking: true,
      displayRequestDuration: true,
      docExpansion: 'list',
      filter: true,
      persistAuthorization: false,
      tryItOutEnabled: true,
      defaultModelsExpandDepth: 0,
      validatorUrl: null,
    })
  })
  .catch(() => {
    window.document.querySelector('.loading').textContent = 'The document could not be loaded. Reload the page to try again.'
  })
`
