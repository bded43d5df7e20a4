import type { Scope } from './api-key.ts'

export type Language = 'curl' | 'typescript' | 'python' | 'openai-node' | 'openai-python'

export interface Snippet {
  readonly language: Language
  readonly label: string
  readonly code: string
}

export interface SnippetOptions {
  readonly secret: string
  readonly scopes: readonly Scope[]
  /** Without a slash at its end. */
  readonly serviceUrl: string
}

interface Example {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
}

const model = 'scribe'
const prompt = 'Write a haiku about rain'

/** A first request that the key is allowed to make. */
function exampleFor(scopes: readonly Scope[]): Example {
  if (scopes.includes('generate')) {
    return { method: 'POST', path: '/v1/generate', body: { model, prompt } }
  }
  if (scopes.includes('analyze')) {
    return { method: 'POST', path: '/v1/analyze', body: { text: 'What a lovely day in Berlin!', tasks: ['sentiment'] } }
  }
  const path = scopes.includes('models') ? '/models' : scopes.includes('usage') ? '/usage' : `/${scopes[0] ?? 'models'}`
  return { method: 'GET', path: path === '/keys' ? '/api-keys' : path === '/users' ? '/api/v1/users' : path }
}

/** Programs that use a key, ready to run. */
export function snippets({ secret, scopes, serviceUrl }: SnippetOptions): readonly Snippet[] {
  const example = exampleFor(scopes)
  return [
    { language: 'curl', label: 'curl', code: curl(example, secret, serviceUrl) },
    { language: 'typescript', label: 'TypeScript', code: typescript(example, secret, serviceUrl) },
    { language: 'python', label: 'Python', code: python(example, secret, serviceUrl) },
    // Other operations have no counterpart in OpenAI's API.
    ...(scopes.includes('generate') ? openaiSnippets(secret, serviceUrl) : []),
  ]
}

function curl({ path, body }: Example, secret: string, serviceUrl: string): string {
  const lines = [`curl ${serviceUrl}${path}`, `-H 'Authorization: Bearer ${secret}'`]
  if (body) lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`)
  return lines.join(' \\\n  ')
}

function typescript({ method, path, body }: Example, secret: string, serviceUrl: string): string {
  const request = body
    ? `, {
  method: '${method}',
  headers: { authorization: 'Bearer ${secret}', 'content-type': 'application/json' },
  body: JSON.stringify(${JSON.stringify(body)}),
}`
    : `, {
  headers: { authorization: 'Bearer ${secret}' },
}`
  return `const response = await fetch('${serviceUrl}${path}'${request})
const { data } = await response.json()
console.log(data)
`
}

function python({ method, path, body }: Example, secret: string, serviceUrl: string): string {
  const fields = [
    `    "${serviceUrl}${path}",`,
    `    method="${method}",`,
    ...(body ? [`    data=json.dumps(${JSON.stringify(body)}).encode(),`] : []),
    `    headers={"Authorization": "Bearer ${secret}"${body ? ', "Content-Type": "application/json"' : ''}},`,
  ]
  return `import json
from urllib.request import Request, urlopen

request = Request(
${fields.join('\n')}
)
print(json.load(urlopen(request))["data"])
`
}

function openaiSnippets(secret: string, serviceUrl: string): readonly Snippet[] {
  const node = `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${serviceUrl}/openai/v1', apiKey: '${secret}' })
const completion = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: '${prompt}' }],
})
console.log(completion.choices[0].message.content)
`
  const pythonCode = `from openai import OpenAI

client = OpenAI(base_url="${serviceUrl}/openai/v1", api_key="${secret}")
completion = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "${prompt}"}],
)
print(completion.choices[0].message.content)
`
  return [
    { language: 'openai-node', label: 'OpenAI Node', code: node },
    { language: 'openai-python', label: 'OpenAI Python', code: pythonCode },
  ]
}
