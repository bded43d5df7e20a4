import { curlSample, pythonSample, type SampleRequest, typescriptSample } from '../playground/code/code-samples.ts'
import { openaiNodeSample, openaiPythonSample } from '../playground/code/openai-samples.ts'
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

const generate = { path: '/v1/generate', body: { model: 'scribe', prompt: 'Write a haiku about rain' } }

/** A first request that the key is allowed to make. */
function exampleFor(scopes: readonly Scope[]): SampleRequest {
  if (scopes.includes('generate')) return generate
  if (scopes.includes('analyze')) {
    return { path: '/v1/analyze', body: { text: 'What a lovely day in Berlin!', tasks: ['sentiment'] } }
  }
  const path = scopes.includes('models') ? '/models' : scopes.includes('usage') ? '/usage' : `/${scopes[0] ?? 'models'}`
  return { path: path === '/keys' ? '/api-keys' : path === '/users' ? '/api/v1/users' : path }
}

/** Programs that use a key, ready to run. */
export function snippets({ secret, scopes, serviceUrl }: SnippetOptions): readonly Snippet[] {
  const example = exampleFor(scopes)
  return [
    { language: 'curl', label: 'curl', code: curlSample(example, serviceUrl, secret) },
    { language: 'typescript', label: 'TypeScript', code: typescriptSample(example, serviceUrl, secret) },
    { language: 'python', label: 'Python', code: pythonSample(example, serviceUrl, secret) },
    // Other operations have no counterpart in OpenAI's API.
    ...(scopes.includes('generate')
      ? ([
          { language: 'openai-node', label: 'OpenAI Node', code: openaiNodeSample(generate, serviceUrl, secret) },
          { language: 'openai-python', label: 'OpenAI Python', code: openaiPythonSample(generate, serviceUrl, secret) },
        ] as const)
      : []),
  ]
}
