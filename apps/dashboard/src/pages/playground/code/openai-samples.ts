import type { CallRequest } from '../call-model.ts'
import { pythonLiteral } from './python-literal.ts'
import { toChatCompletion } from './to-chat-completion.ts'

/** A request for a text with OpenAI's library for Node.js. */
export function openaiNodeSample({ body }: CallRequest, serviceUrl: string, apiKey?: string): string {
  const completion = toChatCompletion(body)
  const streamed = completion['stream'] === true
  return `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${serviceUrl}/openai/v1',
  apiKey: ${apiKey === undefined ? 'process.env.FAIRLEAD_API_KEY' : `'${apiKey}'`},
})

const ${streamed ? 'stream' : 'completion'} = await client.chat.completions.create(${JSON.stringify(completion, undefined, 2)})
${
  streamed
    ? `for await (const { choices } of stream) {
  process.stdout.write(choices[0]?.delta.content ?? '')
}`
    : 'console.log(completion.choices[0].message)'
}
`
}

/** Fields that the library does not know go into its `extra_body`. */
const extraFields = ['cache', 'provider_options']

/** A request for a text with OpenAI's library for Python. */
export function openaiPythonSample({ body }: CallRequest, serviceUrl: string, apiKey?: string): string {
  const completion = Object.entries(toChatCompletion(body))
  const streamed = body['stream'] === true
  const extra = completion.filter(([name]) => extraFields.includes(name))
  const fields = [
    ...completion.filter(([name]) => !extraFields.includes(name)),
    ...(extra.length > 0 ? [['extra_body', Object.fromEntries(extra)] as const] : []),
  ]
  return `${apiKey === undefined ? 'import os\n' : ''}from openai import OpenAI

client = OpenAI(
    base_url="${serviceUrl}/openai/v1",
    api_key=${apiKey === undefined ? 'os.environ["FAIRLEAD_API_KEY"]' : `"${apiKey}"`},
)

${streamed ? 'stream' : 'completion'} = client.chat.completions.create(
${fields.map(([name, value]) => `    ${name}=${pythonLiteral(value, 1)},`).join('\n')}
)
${
  streamed
    ? `for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`
    : 'print(completion.choices[0].message)'
}
`
}
