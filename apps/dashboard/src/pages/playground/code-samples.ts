import type { CallRequest } from './call-model.ts'

type Body = CallRequest['body']

/** A request as a curl command. The API key comes from the environment. */
export function curlSample({ path, body }: CallRequest, serviceUrl: string): string {
  const json = JSON.stringify(body, undefined, 2).replaceAll("'", String.raw`'\''`)
  const lines = [
    `curl ${body['stream'] === true ? '-N ' : ''}${serviceUrl}${path}`,
    `-H "Authorization: Bearer $FAIRLEAD_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d '${json}'`,
  ]
  return lines.join(' \\\n  ')
}

/** A request as a TypeScript program without dependencies. */
export function typescriptSample({ path, body }: CallRequest, serviceUrl: string): string {
  const json = JSON.stringify(body, undefined, 2).replaceAll('\n', '\n  ')
  const request = `const response = await fetch('${serviceUrl}${path}', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.FAIRLEAD_API_KEY}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify(${json}),
})
`
  return `${request}${body['stream'] === true ? readStream : readReply}`
}

const readReply = `const { data, error } = await response.json()
if (error) throw new Error(error.message)
console.log(data)
`

const readStream = `if (!response.ok || !response.body) throw new Error(await response.text())

let buffer = ''
for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
  buffer += text
  const events = buffer.split('\\n\\n')
  buffer = events.pop() ?? ''
  for (const event of events) {
    const [, type, data = ''] = /^event: (\\w+)\\ndata: (.*)$/.exec(event) ?? []
    if (type === 'chunk') process.stdout.write(JSON.parse(data).content)
    if (type === 'error') throw new Error(JSON.parse(data).error.message)
  }
}
`

export interface GraphqlSample {
  readonly document: string
  readonly variables: string
}

/** A request as a GraphQL document with variables. */
export function graphqlSample({ path, body }: CallRequest): GraphqlSample {
  const { stream, ...fields } = body
  const operation = stream === true ? streamOperation : (operations[path] ?? '')
  return { document: operation, variables: JSON.stringify({ input: toInput(fields) }, undefined, 2) }
}

const callMeta = 'meta { requestId provider costUsd cached attempts warnings { field issue } }'
const generation = `content
    finishReason
    usage { promptTokens completionTokens totalTokens }
    ${callMeta}`

const operations: Readonly<Partial<Record<string, string>>> = {
  '/generate': `mutation ($input: GenerateInput!) {
  generate(input: $input) {
    ${generation}
  }
}`,
  '/generate/image': `mutation ($input: GenerateImageInput!) {
  generateImage(input: $input) {
    url
    revisedPrompt
    ${callMeta}
  }
}`,
  '/analyze': `mutation ($input: AnalyzeInput!) {
  analyze(input: $input) {
    sentiment { score label }
    entities { text type confidence }
    keywords { text score }
    ${callMeta}
  }
}`,
}

const streamOperation = `subscription ($input: GenerateInput!) {
  generateStream(input: $input) {
    ... on GenerationChunk { content }
    ... on Generation {
      ${generation.replaceAll('\n', '\n  ')}
    }
  }
}`

/** GraphQL writes names in camel case, and the values of enums in capitals. */
function toInput(fields: Body): Body {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      enums.includes(name) ? capitalized(value) : value,
    ]),
  )
}

const enums = ['quality', 'style', 'tasks']

function capitalized(value: unknown): unknown {
  return Array.isArray(value) ? value.map(capitalized) : String(value).toUpperCase()
}
