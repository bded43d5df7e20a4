import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Page, PageAnswer } from '@fairlead/rest-adapter'
import { graphqlPath } from './graphql.ts'

const root = `${graphqlPath}/graphiql`
const script = 'text/javascript; charset=utf-8'

/** What the page loads, all of it from here. */
const assets: Readonly<Record<string, readonly [file: string, type: string]>> = {
  'graphiql.css': ['graphiql.css', 'text/css; charset=utf-8'],
  'graphiql.js': ['yoga-graphiql.umd.js', script],
  'editor-worker.js': ['monacoeditorwork/editor.worker.bundle.js', script],
  'json-worker.js': ['monacoeditorwork/json.worker.bundle.js', script],
  'graphql-worker.js': ['monacoeditorwork/graphql.worker..bundle.js', script],
}

/** No other host is ever asked. The editor writes styles of its own, and has icons and a font as data. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Fairlead: GraphiQL</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${root}/graphiql.css" />
    <style>html, body, #root { height: 100%; margin: 0 }</style>
  </head>
  <body>
    <div id="root">Loading…</div>
    <script src="${root}/settings.js"></script>
    <script src="${root}/graphiql.js"></script>
    <script src="${root}/start.js"></script>
  </body>
</html>
`

const headers = JSON.stringify({ Authorization: 'Bearer <API key>' }, null, 2)

/** What the page opens with. */
const examples = [
  {
    headers,
    query: `# Put your API key in "Headers", below,
# then run this.
query Models {
  models(type: TEXT) {
    id
    name
    maxTokens
    pricing {
      input
      output
    }
  }
  me {
    name
    tier
  }
}
`,
  },
  {
    headers,
    query: `mutation Generate($input: GenerateInput!) {
  generate(input: $input) {
    content
    finishReason
    usage {
      totalTokens
    }
    meta {
      provider
      costUsd
    }
  }
}
`,
    variables: JSON.stringify({ input: { model: 'scribe', prompt: 'Write a haiku about the sea.' } }, null, 2),
  },
  {
    headers,
    query: `subscription Stream($input: GenerateInput!) {
  generateStream(input: $input) {
    ... on GenerationChunk {
      content
    }
    ... on Generation {
      content
      finishReason
    }
  }
}
`,
    variables: JSON.stringify({ input: { model: 'scribe', prompt: 'Tell a story about a harbour.' } }, null, 2),
  },
]

const settings = `self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_module, label) => '${root}/' + ({ json: 'json', graphql: 'graphql' }[label] ?? 'editor') + '-worker.js',
}
`

const start = `YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), ${JSON.stringify({
  endpoint: graphqlPath,
  title: 'Fairlead',
  defaultTabs: examples,
  // The first tab opens with this one.
  initialQuery: examples[0]?.query,
  defaultHeaders: headers,
  shouldPersistHeaders: false,
})})
`

/** Whether it is a browser that asks GraphQL's path for something to look at. */
export function wantsGraphiql(request: IncomingMessage): boolean {
  return request.method === 'GET' && request.headers.accept?.includes('text/html') === true
}

/** GraphiQL at the path of GraphQL itself, with nothing from any other host. */
export function graphiqlPages(): readonly Page[] {
  return [
    { path: graphqlPath, answer: () => shown('text/html; charset=utf-8', page) },
    { path: `${root}/settings.js`, answer: () => shown(script, settings) },
    { path: `${root}/start.js`, answer: () => shown(script, start) },
    ...Object.entries(assets).map(([name, [file, type]]): Page => ({
      path: `${root}/${name}`,
      answer: async () => shown(type, await readFile(join(assetFolder(), file))),
    })),
  ]
}

function shown(type: string, body: string | Uint8Array): PageAnswer {
  return {
    status: 200,
    headers: { 'Content-Type': type, 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' },
    body,
  }
}

function assetFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('@graphql-yoga/graphiql'))
}
