import type { CallRequest } from '../call-model.ts'

export interface GraphqlSample {
  readonly document: string
  readonly variables: string
}

/** A request as a GraphQL document with variables. */
export function graphqlSample({ path, body }: CallRequest): GraphqlSample {
  const { stream, ...fields } = body
  const document = path === '/generate' ? generateDocument(body, stream === true) : (operations[path] ?? '')
  return { document, variables: JSON.stringify({ input: toInput(fields) }, undefined, 2) }
}

const callMeta = 'meta { requestId provider costUsd cached attempts warnings { field issue } }'

const operations: Readonly<Partial<Record<string, string>>> = {
  '/generate/image': `mutation ($input: GenerateImageInput!) {
  generateImage(input: $input) {
    image {
      url
      revisedPrompt
      ${callMeta}
    }
  }
}`,
  '/analyze': `mutation ($input: AnalyzeInput!) {
  analyze(input: $input) {
    analysis {
      sentiment { score label }
      entities { text type confidence }
      keywords { text score }
      ${callMeta}
    }
  }
}`,
}

const parts = `parts {
  ... on TextPart { text }
  ... on ReasoningPart { text providerOptions }
  ... on ToolCallPart { id name input providerOptions }
}`

function generateDocument(body: CallRequest['body'], streamed: boolean): string {
  const generation = [
    'content',
    ...(body['reasoning'] || body['tools'] || body['messages'] ? parts.split('\n') : []),
    'finishReason',
    'usage { promptTokens completionTokens totalTokens }',
    callMeta,
  ]
  if (!streamed) {
    return `mutation ($input: GenerateInput!) {
  generate(input: $input) {
    generation {
${indented(generation, 6)}
    }
  }
}`
  }
  const chunk = [
    'content',
    ...(body['reasoning'] ? ['reasoning'] : []),
    ...(body['tools'] ? ['toolCall { id name inputDelta }'] : []),
  ]
  return `subscription ($input: GenerateInput!) {
  generateStream(input: $input) {
    ... on GenerationChunk { ${chunk.join(' ')} }
    ... on Generation {
${indented(generation, 6)}
    }
  }
}`
}

function indented(lines: readonly string[], spaces: number): string {
  return lines.map((line) => `${' '.repeat(spaces)}${line}`).join('\n')
}

/** Objects of a client, whose fields keep their names. */
const opaque = ['schema', 'input_schema', 'input', 'provider_options']
const enums = ['quality', 'style', 'tasks', 'role', 'type', 'effort']

/**
 * GraphQL writes names in camel case, the values of enums in capitals, and the parts of a message in a separate field.
 */
function toInput(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toInput)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const key = name === 'content' && Array.isArray(each) ? 'contentParts' : camelCase(name)
      if (opaque.includes(name)) return [key, each]
      return [key, enums.includes(name) ? capitalized(each) : toInput(each)]
    }),
  )
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function capitalized(value: unknown): unknown {
  return Array.isArray(value) ? value.map(capitalized) : String(value).toUpperCase()
}
