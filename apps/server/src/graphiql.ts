import { staticDocument } from '@fairlead/http'
import type { Page } from '@fairlead/rest-adapter'
import type { Request } from 'express'
import { readBrowserFile } from './browser-files.ts'
import { graphqlPath } from './graphql.ts'
import { contentPolicy, staticPage } from './pages.ts'

const root = `${graphqlPath}/graphiql`
/** From the page, at whatever path a proxy has it. */
const fromPage = root.slice(1)

/** The files of the package, by the names under which the page loads them. */
const assets = {
  'graphiql.css': '@graphql-yoga/graphiql/dist/graphiql.css',
  'graphiql.js': '@graphql-yoga/graphiql/dist/yoga-graphiql.umd.js',
  'editor-worker.js': '@graphql-yoga/graphiql/dist/monacoeditorwork/editor.worker.bundle.js',
  'json-worker.js': '@graphql-yoga/graphiql/dist/monacoeditorwork/json.worker.bundle.js',
  'graphql-worker.js': '@graphql-yoga/graphiql/dist/monacoeditorwork/graphql.worker..bundle.js',
} as const

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Fairlead: GraphiQL</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${fromPage}/graphiql.css" />
    <style>html, body, #root { height: 100%; margin: 0 }</style>
  </head>
  <body>
    <div id="root">Loading…</div>
    <script src="${fromPage}/settings.js"></script>
    <script src="${fromPage}/graphiql.js"></script>
    <script src="${fromPage}/start.js"></script>
  </body>
</html>
`

const requestHeaders = JSON.stringify({ Authorization: 'Bearer <API key>' }, null, 2)

/** The tabs that are open at first. */
const examples = [
  {
    headers: requestHeaders,
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
    headers: requestHeaders,
    query: `mutation Generate($input: GenerateInput!) {
  generate(input: $input) {
    generation {
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
}
`,
    variables: JSON.stringify({ input: { model: 'scribe', prompt: 'Write a haiku about the sea.' } }, null, 2),
  },
  {
    headers: requestHeaders,
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
    variables: JSON.stringify({ input: { model: 'scribe', prompt: 'Write a story about a harbor.' } }, null, 2),
  },
]

const settings = `self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_module, label) => '${fromPage}/' + ({ json: 'json', graphql: 'graphql' }[label] ?? 'editor') + '-worker.js',
}
`

const start = `YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), { endpoint: location.pathname, ...${JSON.stringify(
  {
    title: 'Fairlead',
    defaultTabs: examples,
    // The first tab opens with this one.
    initialQuery: examples[0]?.query,
    defaultHeaders: requestHeaders,
    shouldPersistHeaders: false,
  },
)} })
`

/** Whether a browser opened GraphQL's path, or loads a file of GraphiQL. */
export function wantsGraphiql({ path, method, headers: { accept } }: Request): boolean {
  if (path !== graphqlPath) return path.startsWith(root)
  return method === 'GET' && accept?.includes('text/html') === true
}

/** GraphiQL at the path of GraphQL itself, from local files alone. */
export function graphiqlPages(): readonly Page[] {
  return [
    { path: graphqlPath, respond: staticPage(headers, () => staticDocument(page, 'text/html; charset=utf-8')) },
    file('settings.js', () => settings),
    file('start.js', () => start),
    ...Object.entries(assets).map(([name, asset]) => file(name, () => readBrowserFile(asset))),
  ]
}

const headers = {
  // The editor adds inline styles, and has icons and a font as data URLs.
  'Content-Security-Policy': contentPolicy({
    'worker-src': "'self'",
    'style-src': "'self' 'unsafe-inline'",
    'font-src': "'self' data:",
  }),
  'Cache-Control': 'no-cache, no-transform',
}

function file(name: string, load: () => string | Promise<Buffer>): Page {
  const contentType = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8'
  return {
    path: `${root}/${name}`,
    respond: staticPage(headers, async () => staticDocument(await load(), contentType)),
  }
}
