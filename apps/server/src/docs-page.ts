import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { PageDescription } from '@fairlead/rest-adapter'
import type { RequestHandler } from 'express'
import { keptPage, type Pages } from './pages.ts'

/** Everything is loaded from this server. Swagger UI sets styles through the DOM, and has its icons as data URLs. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const docsDescription: PageDescription = {
  operationId: 'docs',
  summary: 'Returns the API reference as a web page.',
  description: 'Every operation can be tried there. Needs no credential. Free of charge.',
  responses: { 200: { description: 'An HTML page.', content: { 'text/html': { schema: { type: 'string' } } } } },
}

/** `GET /docs`: the OpenAPI document in Swagger UI, from local files alone. */
export function docsPages(): Pages {
  const pageHeaders = { 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache, no-transform' }
  return {
    '/docs': keptPage('text/html; charset=utf-8', pageHeaders, () => html),
    '/docs/swagger-ui.css': asset('swagger-ui.css', 'text/css; charset=utf-8'),
    '/docs/swagger-ui-bundle.js': asset('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
    '/docs/favicon-32x32.png': asset('favicon-32x32.png', 'image/png'),
    '/docs/reference.css': keptPage('text/css; charset=utf-8', cached, () => style),
    '/docs/reference.js': keptPage('text/javascript; charset=utf-8', cached, () => script),
  }
}

const cached = { 'Cache-Control': 'public, max-age=3600, no-transform' }

function asset(file: string, contentType: string): RequestHandler {
  return keptPage(contentType, cached, () => {
    const { resolve } = createRequire(import.meta.url)
    return readFile(join(dirname(resolve('swagger-ui-dist/package.json')), file))
  })
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
